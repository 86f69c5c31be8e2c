import { type ReadonlySignal, computed, signal } from '@preact/signals';
import type {
  DeliveryResource,
  EndpointResource,
  TriggerInput,
  WebhookTestResource,
} from 'ofage-mock';
import type { ControlClient } from 'ofage-mock/client';
import { toLabCustomer } from '../../demo-backend/lab-mark.ts';
import { createOrder } from '../../shared/in-order.ts';
import type { Live } from '../../shared/live.ts';
import type { Provider } from '../../shared/provider.ts';
import { toCount } from '../../../mock-server/words/counts.ts';
import type { ReceiverSettings } from '../../demo-backend/lab-plan.ts';
import type { Receiver, ShopLab } from '../shop-lab.ts';

/**
 * The state and the actions of the webhook lab. Each action rejects with an error whose message can be
 * shown.
 */
export interface WebhookLab extends Pick<ReceiverStore, 'receiver' | 'set' | 'refresh'> {
  readonly endpoint: ReadonlySignal<EndpointResource | null>;
  /** The latest deliveries to the endpoint, newest first. */
  readonly deliveries: ReadonlySignal<readonly DeliveryResource[]>;
  /**
   * True once the receiver and the endpoints have been read. Until then, `endpoint` is null even if it
   * exists.
   */
  readonly isReady: ReadonlySignal<boolean>;
  /** The error message of reading the receiver or the endpoints. Empty if both succeeded. */
  readonly loadError: ReadonlySignal<string>;
  /** Closes the lists, and stops updating the state. */
  close(): void;
  addEndpoint(): Promise<void>;
  removeEndpoint(): Promise<void>;
  trigger(name: TriggerInput['name']): Promise<void>;
  /** Moves the clock to the next attempt to this endpoint. */
  jumpToRetry(): Promise<void>;
  advance(ms: number): Promise<void>;
  test(): Promise<string>;
  resume(): Promise<string>;
  redeliver(): Promise<string>;
  forget(): Promise<void>;
}

const SHOWN = 20;

export function createWebhookLab(
  { client, live }: Pick<Provider, 'client' | 'live'>,
  shop: ShopLab,
): WebhookLab {
  const store = createReceiverStore(live, shop);
  const { receiver, set, refresh } = store;
  const known = live.open({
    key: 'lab endpoint',
    topics: ['tenant', 'endpoint', 'delivery'],
    async read() {
      const { url } = receiver.peek() ?? (await shop.receiver());
      const accounts = await client.tenants();
      const lists = await Promise.all(accounts.map(({ id }) => client.endpoints(id)));
      const endpoint = lists.flat().find((one) => one.url === url) ?? null;
      const filter = { endpointId: endpoint?.id, limit: SHOWN };
      return { endpoint, deliveries: endpoint ? await client.deliveries(filter) : [] };
    },
  });
  const endpoint = computed(() => known.data.value?.endpoint ?? null);

  /** Waits until the receiver's settings are saved or refused, and shows the effect of the call. */
  const act = async <Result>(call: () => Promise<Result>): Promise<Result> => {
    await store.saved();
    const result = await call();
    await refresh();
    return result;
  };
  const atEndpoint = async <Result>(call: (id: string) => Promise<Result>): Promise<Result> => {
    const id = endpoint.value?.id;
    if (id === undefined) throw new Error('Add the receiver as an endpoint first');
    return act(() => call(id));
  };
  return {
    receiver,
    endpoint,
    deliveries: computed(() => known.data.value?.deliveries.toReversed() ?? []),
    isReady: computed(() => receiver.value !== null && known.data.value !== null),
    loadError: computed(() => store.loadError.value || known.error.value),
    set,
    refresh,
    close() {
      store.close();
      known.close();
    },
    async addEndpoint() {
      const url = receiver.value?.url;
      if (url === undefined) return;
      const [account] = await client.tenants();
      if (!account) throw new Error('The service has no account');
      // The requests of an earlier endpoint do not belong to this one.
      await shop.forgetRequests();
      const { secret } = await client.createEndpoint(account.id, { url });
      await set({ secret });
    },
    async removeEndpoint() {
      await atEndpoint((id) => client.deleteEndpoint(id));
      await set({ secret: null });
    },
    trigger: async (name) =>
      void (await act(() => client.trigger({ name, externalUserId: toLabCustomer('webhook') }))),
    jumpToRetry: () => atEndpoint((id) => jumpToRetry(client, id)),
    advance: async (ms) => void (await act(() => client.clock.advance(ms))),
    test: async () => `Test: ${toOutcome(await atEndpoint((id) => client.testEndpoint(id)))}`,
    async resume() {
      const result = await atEndpoint((id) => client.resumeEndpoint(id));
      return result.resumed ? 'Resumed' : `Still paused: ${toOutcome(result)}`;
    },
    async redeliver() {
      const { queued } = await atEndpoint((id) => client.redeliver(id));
      return `Redelivering ${toCount(queued, 'event')}`;
    },
    async forget() {
      await shop.forgetRequests();
      await refresh();
    },
  };
}

async function jumpToRetry({ endpoint, clock }: ControlClient, id: string): Promise<void> {
  // Reads the endpoint again, because the page may not show the latest attempt yet.
  const { nextAttemptAt } = (await endpoint(id)).health;
  if (!nextAttemptAt) throw new Error('No delivery is waiting for another attempt');
  const nextAt = new Date(nextAttemptAt);
  const isAhead = nextAt > (await clock.now());
  await (isAhead ? clock.set(nextAt) : clock.advance(1));
}

function toOutcome({ success, httpStatus, error }: WebhookTestResource): string {
  if (success) return `accepted with ${httpStatus}`;
  return httpStatus === null ? `no response (${error})` : `rejected with ${httpStatus}`;
}

/** The receiver as shown on the page, including settings that are still being saved. */
interface ReceiverStore {
  readonly receiver: ReadonlySignal<Receiver | null>;
  /** The error message of the last read. Empty if it succeeded. */
  readonly loadError: { readonly value: string };
  /** Reads the receiver again. Resolves when this read has ended, even if it failed. */
  refresh(): Promise<void>;
  /** Shows the change at once, and saves it. Rejects if it cannot be saved. */
  set(change: Partial<ReceiverSettings>): Promise<void>;
  /** Resolves when every earlier change has been saved or refused. */
  saved(): Promise<void>;
  close(): void;
}

/**
 * The polling interval. The live stream does not carry the receiver's changes, because the receiver belongs
 * to the shop.
 */
const REFRESH_MS = 2_000;

function createReceiverStore(
  live: Pick<Live, 'open'>,
  shop: Pick<ShopLab, 'receiver' | 'setReceiver'>,
): ReceiverStore {
  const receiver = signal<Receiver | null>(null);
  const inOrder = createOrder();
  const saved = (): Promise<void> => inOrder(async () => {});
  let changes = 0;

  const { error, reload, close } = live.open({
    key: 'receiver',
    topics: ['delivery'],
    everyMs: REFRESH_MS,
    async read() {
      const known = changes;
      await saved();
      const loaded = await shop.receiver();
      // Keeps settings that were changed during the read, because the loaded ones may be older.
      const changed = changes > known && receiver.peek();
      receiver.value = changed ? { ...loaded, settings: changed.settings } : loaded;
    },
  });
  return {
    receiver,
    loadError: error,
    refresh: reload,
    saved,
    close,
    async set(change) {
      const before = receiver.peek();
      if (!before) return;
      const settings = { ...before.settings, ...change };
      receiver.value = { ...before, settings };
      changes += 1;
      try {
        await inOrder(() => shop.setReceiver(settings));
      } finally {
        await reload();
      }
    },
  };
}
