import type { DeliveryResource } from '../api/deliveries.ts';
import type { SessionResource } from '../api/sessions.ts';

// The words in which the command and the pages show states. The status of a session and the state of an
// endpoint are shown as the API names them. JSON, filters and addresses always have the names of the API.

/** The statuses of a session, in the order in which a bar of the chart is stacked from the bottom. */
export const SESSION_STATUSES = [
  'verified',
  'failed',
  'cancelled',
  'expired',
  'pending',
] as const satisfies readonly SessionResource['status'][];

/** A delivery's status in words. A session can be pending too, so a delivery waits. */
export const DELIVERY_WORDS = {
  pending: 'waiting',
  delivered: 'delivered',
  undelivered: 'not delivered',
  cancelled: 'cancelled',
} as const satisfies Record<DeliveryResource['status'], string>;

export const DELIVERY_STATUSES = Object.keys(
  DELIVERY_WORDS,
) as readonly DeliveryResource['status'][];

/** Shown in place of a value that is missing. */
export const NONE = 'none';

/** Shown in place of the time of something that has not happened. */
export const NEVER = 'never';

/** Labels that the command and the pages have in common. */
export const LABELS = {
  created: 'Created',
  changed: 'Changed',
  validated: 'Validated',
  waiting: 'Waiting',
  notDelivered: 'Not delivered',
  lastSuccess: 'Last success',
  mode: 'Mode',
  challengeAge: 'Challenge age',
} as const;
