import {
  type ReadonlySignal,
  type Signal,
  computed,
  effect,
  signal,
  untracked,
} from '@preact/signals';
import type { DeliveryResource, EndpointResource, SessionResource } from 'ofage-mock';
import type { ControlClient } from 'ofage-mock/client';
import { formatError } from '../shared/kit/format-error.ts';
import { announce } from '../shared/kit/toast.tsx';
import type { Provider } from '../shared/provider.ts';
import { SESSION_LIFETIME_MS } from '../shared/session-lifetime.ts';
import { toCount } from '../../mock-server/words/counts.ts';
import { becomeNewCustomer } from '../shop/age-check.ts';
import { PRODUCTS, changeQuantity, countOf } from '../shop/goods.ts';
import type { DemoShop } from './demo-shop.ts';
import { findEndpoint, findTenantId } from './account.ts';
import { type CustomerRecord, followRecord } from './record.ts';
import { readRefusal, setRefusal } from './webhook-refusal.ts';
import { TASK_IDS, type TaskId, achievedIn, findTask, ownDeliveries, parseDone } from './tasks.ts';
import { siteStorage, tabStorage } from '../shared/text-storage.ts';

/** Guides the visitor through the tasks and marks the completed ones. */
export interface Guide {
  readonly done: Signal<readonly TaskId[]>;
  /** The age-gate task that was started last. Null once it is completed or a webhook task is started. */
  readonly current: Signal<TaskId | null>;
  /** The latest result or error of a task. */
  readonly result: Signal<TaskResult | null>;
  readonly isBusy: ReadonlySignal<boolean>;
  /** The id of the shop's endpoint. Null until it is loaded, and if it was deleted. */
  readonly endpointId: ReadonlySignal<string | null>;
  readonly isRefusing: ReadonlySignal<boolean>;
  /** Tells whether the shop's endpoint is paused or has undelivered events, of any visitor. */
  readonly hasMissedEvents: ReadonlySignal<boolean>;
  /** The deliveries about this visitor to the shop's server. */
  readonly deliveries: ReadonlySignal<readonly DeliveryResource[]>;
  begin(id: TaskId): Promise<void>;
  /**
   * Makes the shop's server accept webhooks again, for visitors who do the remaining steps on the
   * console.
   */
  acceptWebhooks(): Promise<void>;
  startOver(): Promise<void>;
  /** Ends all effects and queries of the guide. */
  close(): void;
}

export interface TaskResult {
  readonly task: TaskId;
  readonly text: string;
}

const MENDED =
  'The shop accepts webhooks again. In the console, press Test and resume, then Redeliver.';
const DONE_KEY = 'kontor:done';
const TRIGGERED_KEY = 'kontor:triggered';
const CURRENT_KEY = 'kontor:task';
const SERVICE_KEY = 'kontor:service';

/** Creates the guide, which follows the customer's record until it is closed. */
export function createGuide(shop: DemoShop, provider: Pick<Provider, 'client' | 'live'>): Guide {
  const state = createState();
  const stopComparing = followService(shop, state);
  const { done, current, result, triggered } = state;
  const refusing = provider.live.open({
    key: 'refusing',
    topics: [],
    read: readRefusal,
  });
  const parts: GuideParts = {
    shop,
    client: provider.client,
    report: (task, text) => (result.value = { task, text }),
    noteTriggered: (sessionId) => (triggered.value = [...triggered.value, sessionId]),
    async setRefusing(refuses) {
      await setRefusal(refuses);
      await refusing.reload();
    },
  };

  const run = createRun(state, parts.report);
  const letTimePass = (sessionId: string): Promise<void> =>
    run('expired', async () => {
      await letTimeRunOut(parts);
      state.timedOut.add(sessionId);
    });

  const followed = followRecord(shop, provider);
  const stopMarking = effect(() => {
    const record = followed.record.value;
    const running = state.running.value;
    if (record) untracked(() => markDone(state, record, running));
  });
  const stopFollowing = effect(() => {
    const record = followed.record.value;
    if (record) untracked(() => followCurrent(state, record, letTimePass));
  });

  return {
    ...state,
    isBusy: computed(() => state.running.value !== null),
    endpointId: computed(() => followed.record.value?.endpoint?.id ?? null),
    isRefusing: computed(() => refusing.data.value?.refuses ?? false),
    hasMissedEvents: computed(() => {
      const health = followed.record.value?.endpoint?.health;
      return health !== undefined && (health.state === 'paused' || health.undelivered > 0);
    }),
    deliveries: computed(() => {
      const record = followed.record.value;
      return record ? ownDeliveries(record, triggered.value) : [];
    }),
    begin: (id) => run(id, () => beginTask(state, parts, id)),
    acceptWebhooks: () =>
      run('redelivered', async () => {
        await parts.setRefusing(false);
        parts.report('redelivered', MENDED);
      }),
    startOver: () =>
      run('purchase', async () => {
        await cleanUp(parts);
        for (const id of TASK_IDS) state.forgotten.add(id);
        done.value = [];
        current.value = null;
        result.value = null;
        triggered.value = [];
      }),
    close() {
      stopComparing();
      stopMarking();
      stopFollowing();
      for (const { close } of [followed, refusing]) close();
    },
  };
}

async function beginTask(
  { current, forgotten }: State,
  parts: GuideParts,
  id: TaskId,
): Promise<void> {
  current.value = null;
  forgotten.delete(id);
  if (id === 'paused') await refuseForAnHour(parts);
  else if (id === 'redelivered') await redeliver(parts);
  else {
    await prepareCheck(parts, id);
    current.value = id;
  }
}

/** Creates a function that runs the work of one task at a time and shows its error. */
function createRun(
  { running }: State,
  report: GuideParts['report'],
): (task: TaskId, work: () => Promise<void>) => Promise<void> {
  return async (task, work) => {
    if (running.peek() !== null) return;
    running.value = task;
    report(task, 'One moment…');
    try {
      await work();
    } catch (error) {
      report(task, formatError(error));
    } finally {
      running.value = null;
    }
  };
}

type State = Pick<Guide, 'done' | 'current' | 'result'> & {
  /** The task whose steps are being carried out. */
  readonly running: Signal<TaskId | null>;
  /**
   * The tasks from before the visitor started over. The record may still show them as completed, so they
   * must not be marked again.
   */
  readonly forgotten: Set<TaskId>;
  /** The ids of the sessions that the guide created without the shopper. */
  readonly triggered: Signal<readonly string[]>;
  /** The ids of the sessions that have timed out, although the record may not show it yet. */
  readonly timedOut: Set<string>;
};

/** Creates the guide's state. The progress is stored, so that it survives navigation. */
function createState(): State {
  const done = signal<readonly TaskId[]>(parseDone(siteStorage.getItem(DONE_KEY)));
  const current = signal<TaskId | null>(parseDone(tabStorage.getItem(CURRENT_KEY))[0] ?? null);
  const triggered = signal<readonly string[]>(
    (siteStorage.getItem(TRIGGERED_KEY) ?? '').split(' ').filter(Boolean),
  );
  effect(() => siteStorage.setItem(DONE_KEY, done.value.join(' ')));
  effect(() => siteStorage.setItem(TRIGGERED_KEY, triggered.value.join(' ')));
  effect(() => tabStorage.setItem(CURRENT_KEY, current.value ?? ''));
  return {
    done,
    current,
    result: signal(null),
    running: signal(null),
    triggered,
    forgotten: new Set(),
    timedOut: new Set(),
  };
}

/**
 * Clears the stored progress if it was made at another service, which ran at this address before. Each new
 * service creates another publishable key.
 */
function followService(
  { publishableKey }: DemoShop,
  { done, current, triggered }: State,
): () => void {
  return effect(() => {
    const key = publishableKey.value;
    if (key === null || key === siteStorage.getItem(SERVICE_KEY)) return;
    siteStorage.setItem(SERVICE_KEY, key);
    done.value = [];
    current.value = null;
    triggered.value = [];
  });
}

/**
 * Marks the tasks that the record shows as completed. A running task is marked when it has reported. If the
 * webhooks are paused again, there are new events to redeliver, so the task `redelivered` is open again and
 * comes next.
 */
function markDone(state: State, record: CustomerRecord, running: TaskId | null): void {
  const { done, triggered, forgotten } = state;
  const achieved = achievedIn(record, triggered.value);
  for (const id of forgotten) if (!achieved.includes(id)) forgotten.delete(id);
  const fresh = achieved.filter(
    (id) => id !== running && !done.value.includes(id) && !forgotten.has(id),
  );
  if (fresh.length > 0) done.value = [...done.value, ...fresh];
  const isPausedAgain = achieved.includes('paused') && !achieved.includes('redelivered');
  if (running === null && isPausedAgain && done.value.includes('redelivered')) {
    const others = done.value.filter((id) => id !== 'paused' && id !== 'redelivered');
    done.value = [...others, 'paused'];
  }
}

/** Reports the completion of the current task, and moves the clock for the task that needs it. */
function followCurrent(
  state: State,
  record: CustomerRecord,
  letTimePass: (sessionId: string) => Promise<void>,
): void {
  const { current, result, triggered, timedOut } = state;
  const id = current.value;
  if (id !== null && achievedIn(record, triggered.value).includes(id)) {
    result.value = { task: id, text: 'Done.' };
    announce(`Task done: ${findTask(id).title}`);
    current.value = null;
  } else if (id === 'expired') {
    const open = findOpenCheck(record.sessions);
    if (open && !timedOut.has(open.id)) void letTimePass(open.id);
  }
}

/** The dependencies of the guide's steps. */
interface GuideParts {
  readonly shop: DemoShop;
  readonly client: ControlClient;
  /** Shows the result or error of a task. */
  report(task: TaskId, text: string): void;
  /** Remembers a session that the guide created without the shopper. */
  noteTriggered(sessionId: string): void;
  /** Makes the shop's server reject or accept webhooks. */
  setRefusing(refuses: boolean): Promise<void>;
}

/**
 * The time during which webhooks are rejected. The service pauses an endpoint at the first retry after one
 * hour of rejections, and retries are at most ten minutes apart.
 */
const REFUSING_MS = 75 * 60_000;

/** Prepares the task's check: the outcome if it has one, a new customer and a basket that is not empty. */
async function prepareCheck(parts: GuideParts, id: TaskId): Promise<void> {
  const { shop, report } = parts;
  const { nextOutcome } = findTask(id);
  // A new customer has neither access nor earlier checks that count against a limit.
  await becomeNewCustomer(shop);
  await setNextOutcome(parts, nextOutcome);
  const [first] = PRODUCTS;
  if (first && countOf(shop.basket.value) === 0) {
    shop.basket.value = changeQuantity(shop.basket.value, first.sku, 1);
  }
  if (id === 'expired' && ['redirect', 'server'].includes(shop.options.value.mode)) {
    // The page must stay open, because it moves the clock.
    shop.options.value = { ...shop.options.value, mode: 'popup' };
  }
  report(id, 'You are a new customer now. Continue at the age gate.');
}

/**
 * Returns the check whose page is open on a device. The clock is moved only then, so that the shopper sees
 * the countdown end.
 */
function findOpenCheck(sessions: readonly SessionResource[]): SessionResource | undefined {
  return sessions.find(({ status, openDevices }) => status === 'pending' && openDevices.length > 0);
}

/** Moves the clock past the deadline of the check. */
async function letTimeRunOut({ client, report }: GuideParts): Promise<void> {
  await client.clock.advance(SESSION_LIFETIME_MS);
  report('expired', 'Ten minutes have passed. See what the check and the shop show now.');
}

/**
 * Makes the shop reject webhooks, triggers an event, and moves the clock so far that the service pauses the
 * endpoint.
 */
async function refuseForAnHour(parts: GuideParts): Promise<void> {
  const { shop, client, report, noteTriggered, setRefusing } = parts;
  const { id: endpointId, tenantId, health: before } = await readEndpoint(parts);
  if (before.state === 'paused') {
    // The endpoint is already paused, for example by another visitor, so the shop would get nothing to
    // reject.
    await setRefusing(false);
    await client.resumeEndpoint(endpointId);
  }
  await setRefusing(true);
  const { customerId: externalUserId } = await shop.api.access();
  const { id } = await client.trigger({ name: 'cancelled', tenantId, externalUserId });
  noteTriggered(id);
  await client.clock.advance(REFUSING_MS);
  const { health } = await readEndpoint(parts);
  report(
    'paused',
    health.state === 'paused'
      ? 'The shop rejected webhooks for an hour, so the service has paused the endpoint. The shop rejects them until you do the next task.'
      : 'The endpoint is not paused yet. See the console.',
  );
}

/** Accepts webhooks again, resumes the endpoint if it is paused, and redelivers the missed events. */
async function redeliver(parts: GuideParts): Promise<void> {
  const { client, report, setRefusing } = parts;
  const { id, health } = await readEndpoint(parts);
  await setRefusing(false);
  const isPaused = health.state === 'paused';
  const test = await (isPaused ? client.resumeEndpoint(id) : client.testEndpoint(id));
  if (!test.success) throw new Error('The test event was rejected. See the console.');
  const { queued } = await client.redeliver(id);
  report(
    'redelivered',
    queued === 0
      ? 'No events were missed. Pause the webhooks first.'
      : `Tested the endpoint and redelivered ${toCount(queued, 'missed event')}.`,
  );
}

/** Clears the next outcome, accepts webhooks again and signs in as a new customer. */
async function cleanUp(parts: GuideParts): Promise<void> {
  await setNextOutcome(parts, null);
  await parts.setRefusing(false);
  await becomeNewCustomer(parts.shop);
}

async function setNextOutcome(
  { shop, client }: GuideParts,
  outcome: ReturnType<typeof findTask>['nextOutcome'],
): Promise<void> {
  const tenantId = await findTenantId(shop.api, client);
  await client.clearNextOutcomes(tenantId);
  if (outcome) await client.queueNextOutcomes(tenantId, [outcome]);
}

/** @throws Error if the shop's endpoint was deleted */
async function readEndpoint({ shop, client }: GuideParts): Promise<EndpointResource> {
  const tenantId = await findTenantId(shop.api, client);
  const endpoint = findEndpoint(await client.endpoints(tenantId));
  if (endpoint) return endpoint;
  throw new Error(
    "The shop's webhook endpoint was deleted. Reset everything to get it back: State, in the bar at the top.",
  );
}
