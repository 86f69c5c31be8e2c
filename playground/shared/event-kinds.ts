import type { EventKind } from 'ofage/mock';

/** What an endpoint can be told of. */
export const EVENT_KINDS = [
  'session.started',
  'verification.completed',
  'verification.failed',
  'verification.cancelled',
  'session.timeout',
] as const satisfies readonly EventKind[];
