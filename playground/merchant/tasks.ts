import type { DeliveryResource, EndpointResource, SessionResource } from 'ofage/mock';
import type { Order } from '../shared/shop-api.ts';

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
  /** The outcome that the provider queues for the next check. Null does not set one. */
  readonly nextOutcome: 'verified' | 'failed_age_not_met' | 'never' | null;
  /** The instruction at the gate. Null for a task that does not use the gate. */
  readonly coach: string | null;
}

/** The tasks, which show everything that can happen to a shop, in the recommended order. */
export const TASKS: readonly Task[] = [
  {
    id: 'purchase',
    title: 'Buy as an adult',
    text: 'Pass the check, fill the basket and place the order.',
    start: 'Set it up',
    nextOutcome: 'verified',
    coach: 'The next check will pass. Press the button, and go through the check.',
  },
  {
    id: 'failed',
    title: 'Be too young',
    text: 'The check says no, and the shop refuses the order.',
    start: 'Set it up',
    nextOutcome: 'failed_age_not_met',
    coach: 'The next check will find you too young. Press the button, and go through the check.',
  },
  {
    id: 'cancelled',
    title: 'Change your mind',
    text: 'Cancel the check half-way, or just close its window.',
    start: 'Set it up',
    nextOutcome: null,
    coach: 'Press the button, and then Cancel on the page of the check.',
  },
  {
    id: 'expired',
    title: 'Take too long',
    text: 'Ten minutes pass in a moment, as the clock is the provider’s own.',
    start: 'Set it up',
    nextOutcome: 'never',
    coach: 'Press the button. As soon as the check is open, its clock jumps ten minutes ahead.',
  },
  {
    id: 'paused',
    title: 'Get the webhooks paused',
    text: 'The shop’s server refuses webhooks, as with a wrong secret, while more than an hour passes on the provider’s clock; then the provider stops sending.',
    start: 'Refuse webhooks for an hour',
    nextOutcome: null,
    coach: null,
  },
  {
    id: 'redelivered',
    title: 'Get what was missed',
    text: 'Mend the receiver here, or every test gets another 401; then test and resume, and have the lost events delivered again.',
    start: 'Mend, resume and redeliver',
    nextOutcome: null,
    coach: null,
  },
];

export const findTask = (id: TaskId): Task => TASKS.find((task) => task.id === id) as Task; // TASKS has every id

/** The data of the provider and the shop's server that shows which tasks are completed. */
export interface OnRecord {
  readonly sessions: readonly Pick<SessionResource, 'status' | 'returnUrl'>[];
  readonly orders: readonly Pick<Order, 'number'>[];
  readonly endpoint: Pick<EndpointResource, 'health'> | null;
  readonly deliveries: readonly Pick<DeliveryResource, 'status' | 'redeliveries'>[];
}

/** Returns the completed tasks, including those that were completed without the guide. */
export function achievedIn({ sessions, orders, endpoint, deliveries }: OnRecord): TaskId[] {
  const has = (status: SessionResource['status']) =>
    sessions.some((session) => session.status === status && !isOfGuide(session));
  const isDone: Readonly<Record<TaskId, boolean>> = {
    purchase: orders.length > 0,
    failed: has('failed'),
    cancelled: has('cancelled'),
    expired: has('expired'),
    paused: endpoint?.health.state === 'paused',
    redelivered: deliveries.some(
      ({ status, redeliveries }) => redeliveries > 0 && status === 'delivered',
    ),
  };
  return TASK_IDS.filter((id) => isDone[id]);
}

/**
 * The suffix of the returnUrl of sessions that a task creates, which distinguishes them from the shopper's
 * sessions.
 */
export const GUIDE_MARK = '?by=guide';

const isOfGuide = ({ returnUrl }: Pick<SessionResource, 'returnUrl'>): boolean =>
  returnUrl?.endsWith(GUIDE_MARK) ?? false;

/** Parses the stored list of completed tasks. Skips unknown ids. */
export function parseDone(text: string | null): TaskId[] {
  const ids = (text ?? '').split(' ');
  return TASK_IDS.filter((id) => ids.includes(id));
}
