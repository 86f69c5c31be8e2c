import { useSignal } from '@preact/signals';
import { formatError } from '../../shared/kit/format-error.ts';
import type { Provider } from '../../shared/provider.ts';
import { siteUrl } from '../../shared/site.ts';
import { useQuery } from '../../shared/use-query.ts';
import type { Attack } from '../attack/attack.ts';
import { ATTACKS } from '../attack/attacks.ts';
import { openCheck } from '../attack/open-check.ts';
import { type AttackReport, type World, createWorld } from '../attack/world.ts';
import type { ShopLab } from '../shop-lab.ts';

export type Outcome =
  | { readonly state: 'running' }
  | { readonly state: 'done'; readonly report: AttackReport }
  | { readonly state: 'broken'; readonly message: string };

/** Results by attack id. */
export type Outcomes = Readonly<Record<string, Outcome>>;

/** The number of finished attacks, and how many of them each shop has stopped. */
export interface Score {
  readonly done: number;
  readonly all: number;
  readonly shopStopped: number;
  readonly carelessStopped: number;
}

export function toScore(outcomes: Outcomes): Score {
  const reports = Object.values(outcomes).flatMap((one) =>
    one.state === 'done' ? [one.report] : [],
  );
  return {
    done: reports.length,
    all: ATTACKS.length,
    shopStopped: reports.filter(({ shop }) => !shop.isIn).length,
    carelessStopped: reports.filter(({ careless }) => !careless.isIn).length,
  };
}

export interface Attacks {
  /** False while an attack is running, and until the environment of the next one is ready. */
  readonly isReady: boolean;
  /** The reason why the environment could not be prepared. Empty if there was no error. */
  readonly loadError: string;
  readonly outcomes: Outcomes;
  run(attack: Attack): Promise<void>;
  runAll(): Promise<void>;
}

/** Runs attacks one after the other, each in a new environment. */
export function useAttacks(provider: Provider, shop: ShopLab): Attacks {
  const worldNo = useSignal(0);
  const isRunning = useSignal(false);
  const current = worldNo.value;
  // Mallory signs in before the click, because one attack opens a window during it.
  const prepared = useQuery(provider.live, {
    key: `world ${current}`,
    topics: [],
    read: async () => ({ worldNo: current, world: await prepare(provider, shop) }),
  });
  const isReady = prepared.data?.worldNo === current && !isRunning.value;
  const world = isReady ? (prepared.data?.world ?? null) : null;
  const outcomes = useSignal<Outcomes>({});
  const note = (id: string, outcome: Outcome): void => {
    outcomes.value = { ...outcomes.value, [id]: outcome };
  };
  const runIn = async (attack: Attack, at: World): Promise<void> => {
    // The attack starts before the first await, so that it can open a window.
    const running = attack.run(at);
    note(attack.id, { state: 'running' });
    try {
      note(attack.id, { state: 'done', report: await running });
    } catch (error) {
      note(attack.id, toBroken(error));
    }
  };
  const runInWorld = async (work: (world: World) => Promise<void>): Promise<void> => {
    if (!world) return;
    const working = work(world);
    isRunning.value = true;
    await working;
    isRunning.value = false;
    worldNo.value += 1;
  };

  return {
    isReady: world !== null,
    loadError: prepared.error,
    outcomes: outcomes.value,
    run: (attack) => runInWorld((at) => runIn(attack, at)),
    runAll: () =>
      runInWorld(async (at) => {
        const [first, ...others] = WINDOW_FIRST;
        outcomes.value = {};
        if (first) await runIn(first, at);
        for (const attack of others) {
          const next = await prepare(provider, shop).catch((error: unknown) => {
            note(attack.id, toBroken(error));
          });
          if (next) await runIn(attack, next);
        }
      }),
  };
}

function toBroken(error: unknown): Outcome {
  return { state: 'broken', message: formatError(error) };
}

/** The attack that opens a window comes first, because the browser allows that only during the click. */
const WINDOW_FIRST = [
  ...ATTACKS.filter(({ needsWindow }) => needsWindow),
  ...ATTACKS.filter(({ needsWindow }) => !needsWindow),
];

async function prepare(provider: Provider, shop: ShopLab): Promise<World> {
  const publishableKey = await shop.publishableKey();
  const returnUrl = siteUrl('return/');
  return createWorld({
    send: (url, init) => fetch(url, init),
    sendToApi: (path, init) => provider.fetch(path, init),
    client: provider.client,
    shopUrl: (path) => siteUrl(`shop/${path}`),
    returnUrl,
    openCheck: (customer) => openCheck(customer, { provider, publishableKey, returnUrl }),
    sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  });
}
