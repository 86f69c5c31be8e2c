import {
  type ReadonlySignal,
  type Signal,
  computed,
  effect,
  signal,
  untracked,
} from '@preact/signals';
import type { DeliveryResource } from 'ofage/mock';
import { formatError } from '../shared/kit/format-error.ts';
import { announce } from '../shared/kit/toast.tsx';
import type { Provider } from '../shared/provider.ts';
import * as steps from './guide-steps.ts';
import { type CustomerRecord, followRecord } from './record.ts';
import type { Shop } from './shop.ts';
import { TASK_IDS, type TaskId, achievedIn, findTask, ownDeliveries, parseDone } from './tasks.ts';

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
   * dashboard.
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
  'The shop accepts webhooks again. On the dashboard, press Test and resume, then Redeliver.';
const DONE_KEY = 'kontor:done';
const TRIGGERED_KEY = 'kontor:triggered';
const CURRENT_KEY = 'kontor:task';
const SERVICE_KEY = 'kontor:service';

/** Creates the guide, which follows the customer's record until it is closed. */
export function createGuide(shop: Shop, provider: Pick<Provider, 'client' | 'live'>): Guide {
  const state = createState();
  const stopComparing = followService(shop, state);
  const { done, current, result, triggered } = state;
  const refusing = provider.live.openQuery({ topics: [], read: () => shop.api.receiver() });
  const parts: steps.GuideParts = {
    shop,
    client: provider.client,
    report: (task, text) => void (result.value = { task, text }),
    noteTriggered: (sessionId) => void (triggered.value = [...triggered.value, sessionId]),
    async setRefusing(refuses) {
      await shop.api.setReceiver(refuses);
      await refusing.query.reload();
    },
  };

  const run = createRun(state, parts.report);
  const letTimePass = (sessionId: string): Promise<void> =>
    run('expired', async () => {
      await steps.letTimePass(parts);
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
    isRefusing: computed(() => refusing.query.data.value?.refuses ?? false),
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
        await steps.cleanUp(parts);
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
  parts: steps.GuideParts,
  id: TaskId,
): Promise<void> {
  current.value = null;
  forgotten.delete(id);
  if (id === 'paused') await steps.refuseForAnHour(parts);
  else if (id === 'redelivered') await steps.redeliver(parts);
  else {
    await steps.prepareCheck(parts, id);
    current.value = id;
  }
}

/** Creates a function that runs the work of one task at a time and shows its error. */
function createRun(
  { running }: State,
  report: steps.GuideParts['report'],
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
  const done = signal<readonly TaskId[]>(parseDone(localStorage.getItem(DONE_KEY)));
  const current = signal<TaskId | null>(parseDone(sessionStorage.getItem(CURRENT_KEY))[0] ?? null);
  const triggered = signal<readonly string[]>(
    (localStorage.getItem(TRIGGERED_KEY) ?? '').split(' ').filter(Boolean),
  );
  effect(() => localStorage.setItem(DONE_KEY, done.value.join(' ')));
  effect(() => localStorage.setItem(TRIGGERED_KEY, triggered.value.join(' ')));
  effect(() => sessionStorage.setItem(CURRENT_KEY, current.value ?? ''));
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
function followService({ publishableKey }: Shop, { done, current, triggered }: State): () => void {
  return effect(() => {
    const key = publishableKey.value;
    if (key === null || key === localStorage.getItem(SERVICE_KEY)) return;
    localStorage.setItem(SERVICE_KEY, key);
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
    const open = steps.findOpenCheck(record.sessions);
    if (open && !timedOut.has(open.id)) void letTimePass(open.id);
  }
}
