import { type Signal, batch, signal } from '@preact/signals';
import type {
  DeliveryResource,
  EndpointResource,
  TriggerInput,
  WebhookTestResource,
} from 'ofage/mock';
import type { ControlClient } from 'ofage/mock/client';
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
  trigger(name: TriggerInput['name']): Promise<void>;
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
    const [first] = await provider.client.tenants();
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
    const found =
      (await provider.client.endpoints(tenantId)).find(({ url }) => url === loaded.url) ?? null;
    const sent = found
      ? await provider.client.deliveries({ endpointId: found.id, limit: SHOWN })
      : [];
    // Two looks may cross: an older one has nothing to say any more.
    if (look < shown) return;
    shown = look;
    batch(() => {
      // What was chosen since is newer than what was loaded, even if the receiver has it by now.
      const chosen = choices > known && receiver.value;
      receiver.value = chosen ? { ...loaded, settings: chosen.settings } : loaded;
      endpoint.value = found;
      deliveries.value = sent.toReversed();
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
  const act = async <Result>(call: (client: ControlClient) => Promise<Result>): Promise<Result> => {
    await saved;
    const result = await call(provider.client);
    await load();
    return result;
  };
  const endpointId = (): string => {
    if (!endpoint.value) throw new Error('Add the receiver as an endpoint first');
    return endpoint.value.id;
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
      const made = await provider.client.createEndpoint(tenantId, { url: receiver.value.url });
      await set({ secret: made.secret });
      await load();
    },
    async removeEndpoint() {
      const id = endpointId();
      await act((client) => client.deleteEndpoint(id));
      await set({ secret: null });
      walk.value = NEW_WALK;
    },
    trigger: async (name) =>
      void (await act((client) => client.trigger({ name, externalUserId: 'webhook-lab' }))),
    async jumpToRetry() {
      // What is on the page may be older than the try that it shows no result of.
      await load();
      const next = endpoint.value?.health.nextAttemptAt;
      if (!next) throw new Error('Nothing waits for another try');
      const nextAt = new Date(next);
      const isAhead = nextAt > (await provider.client.clock.now());
      await act(({ clock }) => (isAhead ? clock.set(nextAt) : clock.advance(1)));
    },
    advance: async (ms) => void (await act(({ clock }) => clock.advance(ms))),
    async test() {
      const id = endpointId();
      const result = await act((client) => client.testEndpoint(id));
      return `Test: ${toOutcome(result)}`;
    },
    async resume() {
      const id = endpointId();
      const result = await act((client) => client.resumeEndpoint(id));
      if (result.resumed) walk.value = { ...walk.value, wasResumed: true };
      return result.resumed
        ? 'The endpoint gets events again'
        : `It stays paused: ${toOutcome(result)}`;
    },
    async redeliver() {
      const id = endpointId();
      const { queued } = await act((client) => client.redeliver(id));
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

function toOutcome({ success, httpStatus, error }: WebhookTestResource): string {
  if (success) return `accepted with ${httpStatus}`;
  return httpStatus === null ? `no answer (${error})` : `refused with ${httpStatus}`;
}
