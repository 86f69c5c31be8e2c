import type { DeliveryResource, EndpointResource, SessionResource } from 'ofage-mock';
import type { Order } from '../shop/api.ts';

export const TASK_IDS = [
  'purchase',
  'failed',
  'cancelled',
  'expired',
  'paused',
  'redelivered',
] as const;
export type TaskId = (typeof TASK_IDS)[number];

export interface Task {
  readonly id: TaskId;
  readonly title: string;
  readonly text: string;
  /** The label of the button that starts the task. */
  readonly start: string;
  /** The outcome that the service queues for the next check. Null does not set one. */
  readonly nextOutcome: 'verified' | 'failed_age_not_met' | 'never' | null;
  /** The instruction at the age gate. Null for a task that does not use the age gate. */
  readonly coach: string | null;
}

/**
 * The tasks in the recommended order. They show the outcomes of a check and what happens to missed
 * webhooks.
 */
export const TASKS: readonly Task[] = [
  {
    id: 'purchase',
    title: 'Buy as an adult',
    text: 'Pass the check, fill the basket and place the order.',
    start: 'Start task',
    nextOutcome: 'verified',
    coach: 'Your next check will pass. Press the button and complete the check.',
  },
  {
    id: 'failed',
    title: 'Be below the age',
    text: 'The check fails, and the shop refuses the order.',
    start: 'Start task',
    nextOutcome: 'failed_age_not_met',
    coach: 'Your next check will find you too young. Press the button and complete the check.',
  },
  {
    id: 'cancelled',
    title: 'Change your mind',
    text: 'Cancel the check halfway, or close its window.',
    start: 'Start task',
    nextOutcome: null,
    coach: 'Press the button, then press Cancel on the page of the check.',
  },
  {
    id: 'expired',
    title: 'Take too long',
    text: 'Ten minutes pass in a moment, because the check uses the service’s clock.',
    start: 'Start task',
    nextOutcome: 'never',
    coach:
      'Press the button. As soon as the check is open, the service’s clock jumps ten minutes ahead.',
  },
  {
    id: 'paused',
    title: 'Pause the webhooks',
    text: 'The shop’s server rejects every webhook, as if its secret were wrong. After an hour on the service’s clock, the service stops sending. The button also starts and cancels a check, so that there is an event to deliver.',
    start: 'Reject webhooks for an hour',
    nextOutcome: null,
    coach: null,
  },
  {
    id: 'redelivered',
    title: 'Get the missed events',
    text: 'Fix the receiver, resume the endpoint, then redeliver the missed events.',
    start: 'Fix, resume and redeliver',
    nextOutcome: null,
    coach: null,
  },
];

export const findTask = (id: TaskId): Task => TASKS.find((task) => task.id === id) as Task; // TASKS has every id

/**
 * Returns the first task that is not done, searching from the one that was completed last to the end, and
 * then from the start.
 */
export function findNextTask(done: readonly TaskId[]): Task | null {
  const lastDone = TASKS.findIndex(({ id }) => id === done.at(-1));
  const inOrder = [...TASKS.slice(lastDone + 1), ...TASKS.slice(0, lastDone + 1)];
  return inOrder.find(({ id }) => !done.includes(id)) ?? null;
}

/** The data of the service and the shop's server that shows which tasks are completed. */
export interface OnRecord {
  /** The sessions of this customer. */
  readonly sessions: readonly Pick<SessionResource, 'id' | 'status' | 'returnUrl'>[];
  readonly orders: readonly Pick<Order, 'number'>[];
  readonly endpoint: Pick<EndpointResource, 'health'> | null;
  /** The deliveries to the shop's endpoint, for all customers, oldest first. */
  readonly deliveries: readonly Pick<
    DeliveryResource,
    'sessionId' | 'status' | 'redeliveries' | 'attempts'
  >[];
}

/** The returnUrl of a session that the control API triggered, so that no shopper was involved. */
const TRIGGERED_URL = 'http://localhost/';

/**
 * Returns the tasks that this visitor has completed, with or without the guide.
 * @param triggered The ids of the sessions that the guide created without the shopper.
 */
export function achievedIn(record: OnRecord, triggered: readonly string[]): TaskId[] {
  const { sessions, orders, endpoint } = record;
  const has = (status: SessionResource['status']) =>
    sessions.some((session) => session.status === status && session.returnUrl !== TRIGGERED_URL);
  const own = ownDeliveries(record, triggered);
  const lastMissed = own.findLast((one) => isRefused(one) || one.redeliveries > 0);
  const isDone: Readonly<Record<TaskId, boolean>> = {
    purchase: orders.length > 0,
    failed: has('failed'),
    cancelled: has('cancelled'),
    expired: has('expired'),
    // Other visitors use the same endpoint, so only a refusal of this visitor's webhooks counts.
    paused: endpoint?.health.state === 'paused' && own.some(isRefused),
    redelivered: lastMissed?.status === 'delivered' && lastMissed.redeliveries > 0,
  };
  return TASK_IDS.filter((id) => isDone[id]);
}

/** Returns the deliveries about this visitor's sessions, in the given order. */
export function ownDeliveries<D extends Pick<DeliveryResource, 'sessionId'>>(
  { sessions, deliveries }: Pick<OnRecord, 'sessions'> & { readonly deliveries: readonly D[] },
  triggered: readonly string[],
): D[] {
  const own = new Set([...triggered, ...sessions.map(({ id }) => id)]);
  return deliveries.filter(({ sessionId }) => own.has(sessionId));
}

/** Tells whether the shop's server refused the last attempt to deliver an event. */
export function isRefused({ attempts }: Pick<DeliveryResource, 'attempts'>): boolean {
  return attempts.at(-1)?.httpStatus === 401;
}

/** Parses the stored list of completed tasks, the latest last. Skips unknown ids. */
export function parseDone(text: string | null): TaskId[] {
  const ids = new Set((text ?? '').split(' '));
  return [...ids].flatMap((id) => TASK_IDS.find((known) => known === id) ?? []);
}
