import { type ReadonlySignal, type Signal, computed, effect, signal } from '@preact/signals';
import type {
  DeliveryResource,
  EndpointResource,
  TriggerInput,
  WebhookTestResource,
} from 'ofage/mock';
import type { ControlClient } from 'ofage/mock/client';
import type { ReceiverSettings } from '../../merchant-backend/lab-plan.ts';
import { createOrder } from '../../shared/in-order.ts';
import { followList } from '../../shared/live/follow-list.ts';
import * as sources from '../../shared/live/sources.ts';
import type { Provider } from '../../shared/provider.ts';
import type { Receiver, ShopLab } from '../shop-lab.ts';
import { NEW_WALK, type WalkMemory } from './pause-walk.ts';

/** The state of the webhook lab, and what its buttons do. Each rejects with a sentence. */
export interface WebhookLab {
  readonly receiver: Signal<Receiver | null>;
  readonly endpoint: ReadonlySignal<EndpointResource | null>;
  /** Newest first. */
  readonly deliveries: ReadonlySignal<readonly DeliveryResource[]>;
  readonly walk: Signal<WalkMemory>;
  /** Whether the receiver and the endpoints have been read, so that a missing endpoint is not there. */
  readonly isReady: ReadonlySignal<boolean>;
  /** Why the receiver or the endpoints could not be read; empty when they could. */
  readonly trouble: ReadonlySignal<string>;
  /** Stops following what changes. */
  close(): void;
  /** Asks the receiver. Resolves when what is shown is as new as this call. */
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

/** The receiver belongs to the shop, so the live stream does not carry its changes. */
const REFRESH_MS = 2_000;
const SHOWN = 20;

export function createWebhookLab(
  { client, live }: Pick<Provider, 'client' | 'live'>,
  shop: ShopLab,
): WebhookLab {
  const receiver = signal<Receiver | null>(null);
  const walk = signal<WalkMemory>(NEW_WALK);
  const inOrder = createOrder();
  /** Resolves once every choice up to now has been saved, or refused. */
  const saved = (): Promise<void> => inOrder(async () => {});
  let choices = 0;

  const asked = live.openQuery({
    topics: ['delivery'],
    everyMs: REFRESH_MS,
    async read() {
      const known = choices;
      await saved();
      const loaded = await shop.receiver();
      // What was chosen since is newer than what was loaded, even if the receiver has it by now.
      const chosen = choices > known && receiver.peek();
      receiver.value = chosen ? { ...loaded, settings: chosen.settings } : loaded;
    },
  });
  const all = live.openList(sources.allEndpoints);
  const endpoint = computed(
    () => all.list.data.value?.find(({ url }) => url === receiver.value?.url) ?? null,
  );
  const sent = followList(
    live,
    () => endpoint.value && sources.deliveries({ endpointId: endpoint.value.id }, SHOWN),
  );
  const stopWalk = effect(() => {
    if (endpoint.value?.health.state !== 'paused' || walk.peek().wasPaused) return;
    walk.value = { ...walk.peek(), wasPaused: true };
  });

  /** Asks the service, with the receiver as it was last told to be, and looks at what came of it. */
  const act = async <Result>(call: (client: ControlClient) => Promise<Result>): Promise<Result> => {
    await saved();
    const result = await call(client);
    await asked.query.reload();
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
    try {
      await inOrder(() => shop.setReceiver(settings));
    } finally {
      await asked.query.reload();
    }
  };

  return {
    receiver,
    endpoint,
    deliveries: computed(() => sent.data.value?.toReversed() ?? []),
    walk,
    isReady: computed(() => receiver.value !== null && all.list.data.value !== null),
    trouble: computed(() => asked.query.trouble.value || all.list.trouble.value),
    refresh: () => asked.query.reload(),
    set,
    close() {
      stopWalk();
      for (const { close } of [asked, all, sent]) close();
    },
    async addEndpoint() {
      if (!receiver.value) return;
      const [account] = await client.tenants();
      if (!account) throw new Error('There is no account');
      const { secret } = await client.createEndpoint(account.id, { url: receiver.value.url });
      await set({ secret });
    },
    async removeEndpoint() {
      const id = endpointId();
      await act(() => client.deleteEndpoint(id));
      await set({ secret: null });
      walk.value = NEW_WALK;
    },
    trigger: async (name) =>
      void (await act(() => client.trigger({ name, externalUserId: 'webhook-lab' }))),
    async jumpToRetry() {
      // What is on the page may be older than the try that it shows no result of.
      const { nextAttemptAt } = (await client.endpoint(endpointId())).health;
      if (!nextAttemptAt) throw new Error('Nothing waits for another try');
      const nextAt = new Date(nextAttemptAt);
      const isAhead = nextAt > (await client.clock.now());
      await act(({ clock }) => (isAhead ? clock.set(nextAt) : clock.advance(1)));
    },
    advance: async (ms) => void (await act(({ clock }) => clock.advance(ms))),
    async test() {
      const id = endpointId();
      const result = await act(() => client.testEndpoint(id));
      return `Test: ${toOutcome(result)}`;
    },
    async resume() {
      const id = endpointId();
      const result = await act(() => client.resumeEndpoint(id));
      if (result.resumed) walk.value = { ...walk.value, wasResumed: true };
      return result.resumed
        ? 'The endpoint gets events again'
        : `It stays paused: ${toOutcome(result)}`;
    },
    async redeliver() {
      const id = endpointId();
      const { queued } = await act(() => client.redeliver(id));
      walk.value = { ...walk.value, wasRedelivered: true };
      return `Queued again: ${queued}`;
    },
    async forget() {
      await shop.forgetRequests();
      walk.value = NEW_WALK;
      await asked.query.reload();
    },
  };
}

function toOutcome({ success, httpStatus, error }: WebhookTestResource): string {
  if (success) return `accepted with ${httpStatus}`;
  return httpStatus === null ? `no answer (${error})` : `refused with ${httpStatus}`;
}
