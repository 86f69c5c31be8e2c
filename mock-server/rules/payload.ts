import type { EventKind } from '../store/event-kinds.ts';
import { toIso } from '../store/instant.ts';
import type { SessionRow } from '../store/rows.ts';

interface EventFacts {
  readonly id: string;
  readonly kind: EventKind;
  readonly session: PayloadSession;
  /** The time when the event is created, or when `session.started` is first sent. */
  readonly nowMs: number;
}

/** The columns of a session that event payloads contain. */
export type PayloadSession = Pick<
  SessionRow,
  | 'id'
  | 'tenantId'
  | 'createdAtMs'
  | 'expiresAtMs'
  | 'settledAtMs'
  | 'reason'
  | 'externalUserId'
  | 'verificationMode'
  | 'challengeAge'
>;

/** Serialises an event's payload. Retries and redeliveries send the same bytes. */
export function toEventBody({ id, kind, session, nowMs }: EventFacts): string {
  return JSON.stringify({
    event: kind,
    timestamp: toIso(kind === 'session.timeout' ? session.expiresAtMs : nowMs),
    tenantId: session.tenantId,
    test: false,
    data: toData(kind, session),
    // The payload of `session.started` has no `eventId`. Receivers identify it by its session and kind.
    ...(kind !== 'session.started' && { eventId: id }),
  });
}

function toData(kind: EventKind, session: PayloadSession): object {
  const { id: sessionId, verificationMode, challengeAge, reason } = session;
  const user = session.externalUserId !== null && { externalUserId: session.externalUserId };
  // `session.started` may be sent for the first time after the session has ended.
  const happenedAtMs = kind === 'session.started' ? null : session.settledAtMs;
  const timestamp = toIso(happenedAtMs ?? session.createdAtMs);
  switch (kind) {
    case 'session.started':
      return { sessionId, verificationMode, challengeAge, timestamp, ...user };
    case 'verification.completed':
      return { sessionId, verified: true, verificationMode, challengeAge, timestamp, ...user };
    case 'verification.failed':
    case 'verification.cancelled':
      return {
        sessionId,
        verified: false,
        verificationMode,
        reason,
        challengeAge,
        timestamp,
        ...user,
      };
    case 'session.timeout': {
      const expiresAt = toIso(session.expiresAtMs);
      return { sessionId, verificationMode, challengeAge, ...user, expiresAt, timestamp };
    }
  }
}
