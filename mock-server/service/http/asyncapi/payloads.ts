import * as v from 'valibot';
import { EVENT_RULES, type EventKind } from '../../../store/event-kinds.ts';
import { age, flag, id, instant, mode, text } from '../../operations/schemas/values.ts';

/** The fields in the data of every kind of event. */
const sessionFacts = {
  sessionId: v.pipe(text, v.uuid()),
  verificationMode: mode,
  challengeAge: age,
  timestamp: v.pipe(instant, v.description('Time at which the underlying event occurred')),
  externalUserId: v.pipe(
    v.exactOptional(text),
    v.description('Absent if it was not set when the session was created'),
  ),
};

const EVENT_DATA = {
  'session.started': v.object(sessionFacts),
  'verification.completed': v.object({ ...sessionFacts, verified: v.literal(true) }),
  'verification.failed': v.object({
    ...sessionFacts,
    verified: v.literal(false),
    reason: v.pipe(text, v.description('For example age_not_met')),
  }),
  'verification.cancelled': v.object({
    ...sessionFacts,
    verified: v.literal(false),
    reason: v.literal('cancelled'),
  }),
  'session.timeout': v.object({ ...sessionFacts, expiresAt: instant }),
} satisfies Readonly<Record<EventKind, v.GenericSchema>>;

/**
 * Returns the schema of an event's body. Receivers must accept additional properties, because the service
 * may add some.
 */
export function payloadSchema(kind: EventKind): v.GenericSchema {
  const isQueued = EVENT_RULES[kind].delivery !== 'inline';
  const entries: v.ObjectEntries = {
    event: v.literal(kind),
    timestamp: v.pipe(instant, v.description(TIMESTAMPS[EVENT_RULES[kind].delivery])),
    tenantId: id,
    test: v.pipe(flag, v.description('True for a test event, which is not about a real session')),
    data: EVENT_DATA[kind],
    ...(isQueued && {
      eventId: v.pipe(id, v.description('The same in every retry and redelivery of the event')),
    }),
  };
  return v.object(entries);
}

const TIMESTAMPS = {
  inline: 'Time of the first attempt',
  durable: 'Creation time of the event',
  timeout: 'Deadline of the session',
};
