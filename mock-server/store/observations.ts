import { int, oneOf, orNull, type Row, text, time } from './checks.ts';

export const OBSERVATION_KINDS = [
  'access_granted',
  'url_status_trusted',
  'webhook_processed',
] as const;
/** Actions on the merchant's side, which the service cannot see itself. */
export type ObservationKind = (typeof OBSERVATION_KINDS)[number];

/** Actions on the merchant's side, as reported by the merchant. The row's id is the value of `no` as text. */
export const observations = {
  /** The number of the observation, counted from 1. */
  no: int,
  /** Virtual time of the action. */
  atMs: time,
  kind: oneOf<ObservationKind>(...OBSERVATION_KINDS),
  tenantId: text,
  sessionId: text,
  eventId: orNull(text),
  by: orNull(text),
};
export interface ObservationRow extends Row<typeof observations> {}
