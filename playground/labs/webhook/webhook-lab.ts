import { type Signal, batch, signal } from '@preact/signals';
import type { DeliveryResource, EndpointResource, NewEndpointResource } from 'ofage/mock';
import type { ReceiverSettings } from '../../merchant-backend/lab-plan.ts';
import type { Provider } from '../../shared/provider.ts';
import type { Receiver, ShopLab } from '../shop-lab.ts';
import { NEW_WALK, type WalkMemory } from './pause-walk.ts';

/** The state of the webhook lab, and what its buttons do. Each rejects with a sentence. */
export interface WebhookLab {
  readonly receiver: Signal<Receiver | null>;
  readonly endpoint: Signal<EndpointResource | null>;
  /** Newest first. */
  readonly deliveries: Signal<readonly DeliveryResource[]>;
  readonly walk: Signal<WalkMemory>;
  /** Follows what changes, until it is told to stop. */
  follow(): () => void;
  refresh(): Promise<void>;
  set(change: Partial<ReceiverSettings>): Promise<void>;
  addEndpoint(): Promise<void>;
  removeEndpoint(): Promise<void>;
  trigger(name: string): Promise<void>;
  /** Goes to the next try at this endpoint. */
  jumpToRetry(): Promise<void>;
  advance(ms: number): Promise<void>;
  test(): Promise<string>;
  resume(): Promise<string>;
  redeliver(): Promise<string>;
  forget(): Promise<void>;
}

const REFRESH_MS = 2_000;
const SHOWN = 20;

export function createWebhookLab(provider: Provider, shop: ShopLab): WebhookLab {
  const receiver = signal<Receiver | null>(null);
  const endpoint = signal<EndpointResource | null>(null);
  const deliveries = signal<readonly DeliveryResource[]>([]);
  const walk = signal<WalkMemory>(NEW_WALK);

  const findTenantId = async (): Promise<string> => {
    const { items } = await provider.control<{ items: { id: string }[] }>('GET', '/tenants');
    const [first] = items;
    if (!first) throw new Error('There is no account');
    return first.id;
  };
  let looks = 0;
  let shown = 0;
  let choices = 0;
  /** When the receiver has all that was chosen, or has refused it; never rejects. */
  let saved: Promise<unknown> = Promise.resolve();
  const load = async (): Promise<void> => {
    const look = (looks += 1);
    const known = choices;
    await saved;
    const loaded = await shop.receiver();
    const tenantId = await findTenantId();
    const { items } = await provider.control<{ items: EndpointResource[] }>(
      'GET',
      `/tenants/${tenantId}/webhook-endpoints`,
    );
    const found = items.find(({ url }) => url === loaded.url) ?? null;
    const sent = found
      ? await provider.control<{ items: DeliveryResource[] }>(
          'GET',
          `/deliveries?endpointId=${found.id}&limit=${SHOWN}`,
        )
      : { items: [] };
    // Two looks may cross: an older one has nothing to say any more.
    if (look < shown) return;
    shown = look;
    batch(() => {
      // What was chosen since is newer than what was loaded, even if the receiver has it by now.
      const chosen = choices > known && receiver.value;
      receiver.value = chosen ? { ...loaded, settings: chosen.settings } : loaded;
      endpoint.value = found;
      deliveries.value = sent.items.toReversed();
      if (found?.health.state === 'paused') walk.value = { ...walk.value, wasPaused: true };
    });
  };

  // One at a time, and one more when something happened meanwhile.
  let running: Promise<void> | null = null;
  let isStale = false;
  const refresh = (): Promise<void> => {
    if (running) {
      isStale = true;
      return running;
    }
    running = load().finally(() => {
      running = null;
      if (!isStale) return;
      isStale = false;
      void refresh().catch(() => undefined);
    });
    return running;
  };
  /** Asks the service, with the receiver as it was last told to be, and looks at what came of it. */
  const act = async <Answer>(method: string, path: string, body?: object): Promise<Answer> => {
    await saved;
    const answer = await provider.control<Answer>(method, path, body);
    await load();
    return answer;
  };
  const endpointPath = (): string => {
    if (!endpoint.value) throw new Error('Add the receiver as an endpoint first');
    return `/webhook-endpoints/${endpoint.value.id}`;
  };
  const set = async (change: Partial<ReceiverSettings>): Promise<void> => {
    if (!receiver.value) return;
    const settings = { ...receiver.value.settings, ...change };
    // At once, so that what was chosen stays chosen; and to the receiver one after the other.
    receiver.value = { ...receiver.value, settings };
    choices += 1;
    const saving = saved.then(() => shop.setReceiver(settings));
    saved = saving.catch(() => undefined);
    try {
      await saving;
    } finally {
      await load();
    }
  };

  return {
    receiver,
    endpoint,
    deliveries,
    walk,
    refresh,
    set,
    follow() {
      const look = (): void => void refresh().catch(() => undefined);
      const stop = provider.subscribe(({ topic }) => {
        if (['endpoint', 'delivery', 'event', 'clock', 'reload'].includes(topic)) look();
      });
      // The receiver is no part of the service, so no news tell of it.
      const timer = setInterval(() => {
        if (document.visibilityState === 'visible') look();
      }, REFRESH_MS);
      return () => {
        stop();
        clearInterval(timer);
      };
    },
    async addEndpoint() {
      if (!receiver.value) return;
      const tenantId = await findTenantId();
      const made = await provider.control<NewEndpointResource>(
        'POST',
        `/tenants/${tenantId}/webhook-endpoints`,
        { url: receiver.value.url },
      );
      await set({ secret: made.secret });
      await load();
    },
    async removeEndpoint() {
      await act('DELETE', endpointPath());
      await set({ secret: null });
      walk.value = NEW_WALK;
    },
    trigger: async (name) =>
      void (await act('POST', '/events/trigger', { name, externalUserId: 'webhook-lab' })),
    async jumpToRetry() {
      // What is on the page may be older than the try that it shows no result of.
      await load();
      const next = endpoint.value?.health.nextAttemptAt;
      if (!next) throw new Error('Nothing waits for another try');
      const { now } = await provider.control<{ now: string }>('GET', '/clock');
      const isAhead = Date.parse(next) > Date.parse(now);
      await (isAhead
        ? act('POST', '/clock/set', { now: next })
        : act('POST', '/clock/advance', { ms: 1 }));
    },
    advance: async (ms) => void (await act('POST', '/clock/advance', { ms })),
    async test() {
      const result = await act<TestResult>('POST', `${endpointPath()}/test`);
      return `Test: ${toOutcome(result)}`;
    },
    async resume() {
      const result = await act<TestResult>('POST', `${endpointPath()}/resume`);
      if (result.resumed) walk.value = { ...walk.value, wasResumed: true };
      return result.resumed
        ? 'The endpoint gets events again'
        : `It stays paused: ${toOutcome(result)}`;
    },
    async redeliver() {
      const { queued } = await act<{ queued: number }>('POST', `${endpointPath()}/redeliver`);
      walk.value = { ...walk.value, wasRedelivered: true };
      return `Queued again: ${queued}`;
    },
    async forget() {
      await shop.forgetRequests();
      walk.value = NEW_WALK;
      await load();
    },
  };
}

interface TestResult {
  readonly success: boolean;
  readonly resumed: boolean;
  readonly httpStatus: number | null;
  readonly error: string | null;
}

function toOutcome({ success, httpStatus, error }: TestResult): string {
  if (success) return `accepted with ${httpStatus}`;
  return httpStatus === null ? `no answer (${error})` : `refused with ${httpStatus}`;
}
