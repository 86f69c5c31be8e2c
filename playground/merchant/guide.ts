import { type Signal, effect, signal } from '@preact/signals';
import type { EndpointResource, SessionResource } from 'ofage/mock';
import { formatError } from '../shared/kit/format-error.ts';
import { announce } from '../shared/kit/toast.tsx';
import type { Provider } from '../shared/provider.ts';
import { siteUrl } from '../shared/site.ts';
import { changeQuantity, countOf } from './basket.ts';
import { PRODUCTS } from './products.ts';
import { type Shop, becomeNewCustomer } from './shop.ts';
import { type TaskId, achievedIn, findTask, parseDone } from './tasks.ts';

/** Takes somebody through everything that can happen, and ticks off what has. */
export interface Guide {
  readonly done: Signal<readonly TaskId[]>;
  /** The one that was begun last, until it is done. */
  readonly current: Signal<TaskId | null>;
  /** What became of the task that was begun last, or why it did not work. */
  readonly news: Signal<News | null>;
  readonly isBusy: Signal<boolean>;
  readonly isRefusing: Signal<boolean>;
  begin(id: TaskId): Promise<void>;
  /** Lets the receiver take webhooks again, for those who do the rest on the dashboard. */
  mend(): Promise<void>;
  startOver(): Promise<void>;
  /** Follows what happens. */
  follow(): void;
}

export interface News {
  readonly task: TaskId;
  readonly text: string;
}

const DONE_KEY = 'kontor:done';
const CURRENT_KEY = 'kontor:task';
/** An hour of refusals is what it takes; the retry after it pauses, and those are ten minutes apart at most. */
const REFUSING_MS = 75 * 60_000;
const TEN_MINUTES_MS = 10 * 60_000;

export function createGuide(shop: Shop, provider: Provider): Guide {
  const done = signal<readonly TaskId[]>(parseDone(localStorage.getItem(DONE_KEY)));
  const current = signal<TaskId | null>(parseDone(sessionStorage.getItem(CURRENT_KEY))[0] ?? null);
  const news = signal<News | null>(null);
  const isBusy = signal(false);
  const isRefusing = signal(false);
  effect(() => localStorage.setItem(DONE_KEY, done.value.join(' ')));
  effect(() => sessionStorage.setItem(CURRENT_KEY, current.value ?? ''));

  const account = once(() => findAccount(shop, provider));

  const tell = (task: TaskId, text: string): void => {
    news.value = { task, text };
  };

  const run = async (task: TaskId, work: () => Promise<void>): Promise<void> => {
    if (isBusy.value) return;
    isBusy.value = true;
    tell(task, 'One moment…');
    try {
      await work();
    } catch (error) {
      tell(task, formatError(error));
    } finally {
      isBusy.value = false;
    }
  };

  const look = async (): Promise<void> => {
    const { tenantId } = await account();
    const { customerId } = shop.facts.value;
    const [sessions, orders, endpoint] = await Promise.all([
      customerId === '' ? [] : provider.client.sessions({ externalUserId: customerId }),
      customerId === '' ? [] : shop.api.orders(),
      findEndpoint(provider, tenantId),
    ]);
    const deliveries = endpoint
      ? await provider.client.deliveries({ endpointId: endpoint.id, limit: 1_000 })
      : [];
    // Somebody else has come in meanwhile; what they have done is looked up anew.
    if (shop.facts.value.customerId !== customerId) return;
    const achieved = achievedIn({ sessions, orders, endpoint, deliveries });
    const fresh = achieved.filter((id) => !done.value.includes(id));
    if (fresh.length > 0) done.value = [...done.value, ...fresh];
    const id = current.value;
    if (id !== null && achieved.includes(id)) {
      tell(id, 'Done.');
      announce(`Done: ${findTask(id).title}`);
      current.value = null;
    }
    if (current.value === 'expired') await letTimePass(sessions);
  };

  /** Once the page of the check is open, so that its countdown is seen to end. */
  const letTimePass = async (sessions: readonly SessionResource[]): Promise<void> => {
    const isOpen = sessions.some(
      ({ status, openDevices }) => status === 'pending' && openDevices.length > 0,
    );
    if (!isOpen || isBusy.value) return;
    await run('expired', async () => {
      await provider.client.clock.advance(TEN_MINUTES_MS);
      tell('expired', 'Ten minutes have passed. Look at the check, and at what the shop says.');
    });
  };

  const prepareCheck = async (id: TaskId): Promise<void> => {
    const { nextOutcome } = findTask(id);
    const { tenantId } = await account();
    await provider.client.clearNextOutcomes(tenantId);
    if (nextOutcome) await provider.client.queueNextOutcomes(tenantId, [nextOutcome]);
    // Nothing is known of a new customer, neither access nor attempts that count against a limit.
    await becomeNewCustomer(shop);
    const [first] = PRODUCTS;
    if (first && countOf(shop.basket.value) === 0) {
      shop.basket.value = changeQuantity(shop.basket.value, first.sku, 1);
    }
    if (id === 'expired' && ['redirect', 'server'].includes(shop.options.value.mode)) {
      // This page has to stay, to move the clock.
      shop.options.value = { ...shop.options.value, mode: 'popup' };
    }
    tell(id, findTask(id).coach ?? '');
  };

  const refuseForAnHour = async (): Promise<void> => {
    const { tenantId } = await account();
    if (!(await findEndpoint(provider, tenantId))) throw new Error(NO_ENDPOINT);
    await setRefusing(true);
    const { sessionId } = await shop.api.checkout({ returnUrl: siteUrl('return/') });
    await provider.client.settle(sessionId, 'cancelled');
    await provider.client.clock.advance(REFUSING_MS);
    await look();
    const endpoint = await findEndpoint(provider, tenantId);
    tell(
      'paused',
      endpoint?.health.notice ??
        (endpoint?.health.state === 'paused'
          ? 'The webhooks are paused.'
          : 'The webhooks are not paused yet: see the dashboard.'),
    );
  };

  const redeliver = async (): Promise<void> => {
    const { tenantId } = await account();
    const endpoint = await findEndpoint(provider, tenantId);
    if (!endpoint) throw new Error(NO_ENDPOINT);
    await setRefusing(false);
    const { client } = provider;
    const isPaused = endpoint.health.state === 'paused';
    const test = await (isPaused
      ? client.resumeEndpoint(endpoint.id)
      : client.testEndpoint(endpoint.id));
    if (!test.success) throw new Error('The test event was refused: see the dashboard.');
    const { queued } = await client.redeliver(endpoint.id);
    tell(
      'redelivered',
      queued === 0
        ? 'Nothing was missed. Have the webhooks paused first.'
        : `${queued} missed ${queued === 1 ? 'event goes' : 'events go'} out again.`,
    );
  };

  const setRefusing = async (refuses: boolean): Promise<void> => {
    await shop.api.setReceiver(refuses);
    isRefusing.value = refuses;
  };

  return {
    done,
    current,
    news,
    isBusy,
    isRefusing,
    begin: (id) =>
      run(id, async () => {
        current.value = null;
        if (id === 'paused') await refuseForAnHour();
        else if (id === 'redelivered') await redeliver();
        else {
          await prepareCheck(id);
          current.value = id;
        }
      }),
    mend: () =>
      run('redelivered', async () => {
        await setRefusing(false);
        tell('redelivered', 'The shop takes webhooks again. Now Test and resume, then Redeliver.');
      }),
    startOver: () =>
      run('purchase', async () => {
        const { tenantId } = await account();
        await provider.client.clearNextOutcomes(tenantId);
        await setRefusing(false);
        await becomeNewCustomer(shop);
        done.value = [];
        current.value = null;
        news.value = null;
      }),
    follow() {
      const lookSoon = createPacer(() => look().catch((error: unknown) => console.debug(error)));
      void shop.api.receiver().then(
        ({ refuses }) => (isRefusing.value = refuses),
        (error: unknown) => console.debug(error),
      );
      provider.subscribe(({ topic }) => {
        if (TOPICS.has(topic)) lookSoon();
      });
      // An order is the shop's affair, and no news of the provider.
      effect(() => {
        void shop.confirmation.value;
        void shop.facts.value.customerId;
        lookSoon();
      });
    },
  };
}

const TOPICS: ReadonlySet<string> = new Set(['session', 'endpoint', 'delivery', 'reload']);
const NO_ENDPOINT = "The shop's webhook endpoint is gone: add it again on the dashboard.";
const WEBHOOK_PATH = '/shop/webhooks/ofage';

/** The account whose publishable key the shop has. */
async function findAccount(shop: Shop, provider: Provider): Promise<{ tenantId: string }> {
  const { publishableKey } = await shop.api.config();
  for (const { id } of await provider.client.tenants()) {
    const pairs = await provider.client.keyPairs(id);
    if (pairs.some(({ publishable }) => publishable.value === publishableKey)) {
      return { tenantId: id };
    }
  }
  throw new Error("The provider does not know the shop's key any more: start it anew.");
}

async function findEndpoint(
  provider: Provider,
  tenantId: string,
): Promise<EndpointResource | null> {
  const endpoints = await provider.client.endpoints(tenantId);
  return endpoints.find(({ url }) => new URL(url).pathname === WEBHOOK_PATH) ?? null;
}

/** One run at a time, and one more when it was asked for meanwhile. */
function createPacer(work: () => Promise<void>): () => void {
  let isRunning = false;
  let isWanted = false;
  const start = async (): Promise<void> => {
    if (isRunning) {
      isWanted = true;
      return;
    }
    isRunning = true;
    await work();
    await new Promise((resolve) => setTimeout(resolve, PACE_MS));
    isRunning = false;
    if (!isWanted) return;
    isWanted = false;
    await start();
  };
  return () => void start();
}

const PACE_MS = 250;

/** Asks once; what failed may be asked again. */
function once<Value>(make: () => Promise<Value>): () => Promise<Value> {
  let made: Promise<Value> | undefined;
  return () =>
    (made ??= make().catch((error: unknown) => {
      made = undefined;
      throw error;
    }));
}
