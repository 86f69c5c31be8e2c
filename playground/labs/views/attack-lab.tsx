import { type Signal, useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { Json, ErrorNote } from '../../shared/console/parts.tsx';
import { Button } from '../../shared/kit/button.tsx';
import { Chip } from '../../shared/kit/chip.tsx';
import { formatError } from '../../shared/kit/format-error.ts';
import { announce } from '../../shared/kit/toast.tsx';
import { useQuery } from '../../shared/live/use-live.ts';
import type { Provider } from '../../shared/provider.ts';
import { siteUrl } from '../../shared/site.ts';
import type { Attack, AttackReport, Side } from '../attack/attack.ts';
import { ATTACKS } from '../attack/attacks.ts';
import type { Exchange } from '../attack/exchange.ts';
import { openCheck } from '../attack/open-check.ts';
import { codeOf } from '../attack/sources.ts';
import { type World, createWorld } from '../attack/world.ts';
import type { ShopLab } from '../shop-lab.ts';

type Outcome =
  | { readonly state: 'running' }
  | { readonly state: 'done'; readonly report: AttackReport }
  | { readonly state: 'broken'; readonly message: string };

export function AttackLab(props: { provider: Provider; shop: ShopLab }): JSX.Element {
  const { world, trouble, outcomes, run } = useAttacks(props.provider, props.shop);
  return (
    <>
      <p class="note note--warn">
        <strong>The careless shop is what not to do.</strong> It runs beside the real one, and makes
        the mistakes that are marked in its code. Afterwards the{' '}
        <a href={siteUrl('doctor/')}>doctor</a> has something to say about it.
      </p>
      <ErrorNote text={trouble} />
      <ul class="attacks" data-testid="attacks" data-ready={String(world !== null)}>
        {ATTACKS.map((attack) => (
          <li key={attack.id} class="panel" data-testid={`attack-${attack.id}`}>
            <div class="panel__head">
              <h2>{attack.title}</h2>
              <Button
                variant="primary"
                small
                aria-label={`Attack: ${attack.title}`}
                busy={world === null}
                onPress={() => void run(attack)}
                testId={`run-${attack.id}`}
              >
                Attack
              </Button>
            </div>
            <p>{attack.story}</p>
            <Result attack={attack} outcome={outcomes[attack.id]} />
          </li>
        ))}
      </ul>
    </>
  );
}

interface Attacks {
  /** Null while an attack is running, and until the environment of the next one is ready. */
  readonly world: World | null;
  readonly trouble: string;
  /** Results by attack id. */
  readonly outcomes: Readonly<Record<string, Outcome>>;
  run(attack: Attack): Promise<void>;
}

/** Runs one attack at a time, each in a new environment. */
function useAttacks(provider: Provider, shop: ShopLab): Attacks {
  const outcomes = useSignal<Attacks['outcomes']>({});
  const round = useSignal(0);
  const isRunning = useSignal(false);
  const current = round.value;
  // Mallory signs in before the click, because one attack opens a window during it.
  const prepared = useQuery(provider.live, String(current), {
    topics: [],
    read: async () => ({ round: current, world: await prepare(provider, shop) }),
  });
  const isReady = prepared.data.value?.round === current && !isRunning.value;
  const world = isReady ? (prepared.data.value?.world ?? null) : null;
  const note = (id: string, outcome: Outcome): void => {
    outcomes.value = { ...outcomes.value, [id]: outcome };
  };
  return {
    world,
    trouble: prepared.error.value,
    outcomes: outcomes.value,
    async run(attack) {
      if (!world) return;
      // Before the first await, so that the attack can open a window.
      const running = attack.run(world);
      isRunning.value = true;
      note(attack.id, { state: 'running' });
      try {
        const report = await running;
        note(attack.id, { state: 'done', report });
        announce(`${attack.title}: ${inWords(report.shop)}`);
      } catch (error) {
        note(attack.id, { state: 'broken', message: formatError(error) });
      }
      isRunning.value = false;
      round.value += 1;
    },
  };
}

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

function Result(props: { attack: Attack; outcome: Outcome | undefined }): JSX.Element | null {
  const { attack, outcome } = props;
  const isOpen = useSignal(false);
  if (!outcome) return null;
  if (outcome.state === 'running') return <p role="status">Under way…</p>;
  if (outcome.state === 'broken') {
    return <ErrorNote text={`The attack could not be run. ${outcome.message}`} />;
  }
  const { shop, careless } = outcome.report;
  return (
    <>
      <div class="versus">
        <SideView name="The demo shop" id="shop" side={shop} />
        <SideView name="The careless shop" id="careless" side={careless} />
      </div>
      <p>
        <strong>Why the shop {shop.isIn ? 'should have held' : 'held'}.</strong> {attack.why}
      </p>
      <Code attack={attack} isOpen={isOpen} />
    </>
  );
}

function SideView(props: { name: string; id: string; side: Side }): JSX.Element {
  const { name, id, side } = props;
  return (
    <section
      class={side.isIn ? 'versus__side versus__side--in' : 'versus__side versus__side--out'}
      aria-label={name}
      data-testid={`side-${id}`}
      data-in={String(side.isIn)}
    >
      <div class="row">
        <h3>{name}</h3>
        <Chip tone={side.isIn ? 'bad' : 'good'}>{side.isIn ? 'let the attacker in' : 'held'}</Chip>
      </div>
      <p>{side.outcome}</p>
      {side.exchanges.map((exchange, at) => (
        <ExchangeView key={at} exchange={exchange} />
      ))}
    </section>
  );
}

function ExchangeView({ exchange }: { exchange: Exchange }): JSX.Element {
  const { title, method, url, headers, body, status, answer } = exchange;
  const { pathname, search } = new URL(url, location.href);
  const path = pathname + search;
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return (
    <details class="exchange">
      <summary>
        <span>{title}</span>{' '}
        <code>
          {method} {pathname} → {status}
        </code>
      </summary>
      <Json
        label={`Request: ${title}`}
        value={[`${method} ${path}`, ...lines, ...(body === null ? [] : ['', body])].join('\n')}
      />
      <Json label={`Answer: ${title}`} value={answer ?? `${status}, no body`} />
    </details>
  );
}

function Code({ attack, isOpen }: { attack: Attack; isOpen: Signal<boolean> }): JSX.Element {
  const { shop, careless } = attack.code;
  return (
    <details
      open={isOpen.value}
      onToggle={({ currentTarget }) => (isOpen.value = currentTarget.open)}
    >
      <summary>The lines of code that differ</summary>
      <div class="versus">
        {[shop, careless].map((excerpt) => (
          <figure class="code" key={excerpt.file}>
            <figcaption>
              <code>merchant-backend/{excerpt.file}</code>
            </figcaption>
            <Json label={`Code of ${excerpt.file}`} value={codeOf(excerpt)} />
          </figure>
        ))}
      </div>
    </details>
  );
}

function inWords({ isIn }: Side): string {
  return isIn ? 'the demo shop let the attacker in' : 'the demo shop held';
}
