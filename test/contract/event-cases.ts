import { expect } from 'vitest';
import type { World } from './world.ts';

interface EventFacts {
  readonly sessionId: string;
  readonly tenantId: string;
  readonly createdAt: string;
  readonly expiresAt: string;
  /** The ids of the events, in order. */
  readonly ids: readonly string[];
}

/** The steps of a session, and the exact payloads of all its events. */
export interface EventCase {
  readonly name: string;
  readonly why: string;
  readonly body?: object;
  readonly happen?: (world: World, sessionId: string) => Promise<unknown>;
  readonly expected: (facts: EventFacts) => object[];
}

const SECOND_MS = 1000;
const TEN_MINUTES_MS = 600_000;
const plus = (iso: string, ms: number): string => new Date(Date.parse(iso) + ms).toISOString();

const started = ({ sessionId, tenantId, createdAt }: EventFacts, user: object = {}) => ({
  event: 'session.started',
  timestamp: createdAt,
  tenantId,
  test: false,
  data: { sessionId, verificationMode: 'L1', challengeAge: 25, timestamp: createdAt, ...user },
});

const ended = (
  event: string,
  { sessionId, tenantId, createdAt, ids }: EventFacts,
  data: object,
  afterMs = SECOND_MS,
) => ({
  event,
  timestamp: plus(createdAt, afterMs),
  tenantId,
  test: false,
  data: {
    sessionId,
    verificationMode: 'L1',
    challengeAge: 25,
    timestamp: plus(createdAt, afterMs),
    ...data,
  },
  eventId: ids[1],
});

const timedOut = (facts: EventFacts, afterMs: number, data: object = {}) =>
  ended('session.timeout', facts, { expiresAt: plus(facts.createdAt, afterMs), ...data }, afterMs);

const settle =
  (scenario: Parameters<World['control']['settle']>[1]) =>
  async (world: World, sessionId: string): Promise<void> => {
    await world.host.clock.advance(SECOND_MS);
    await world.control.settle(sessionId, scenario);
  };

export const eventCases: readonly EventCase[] = [
  {
    name: 'session.started when a session is created',
    why: 'it has no eventId, and its timestamp is the time of sending',
    expected: (facts) => [started(facts)],
  },
  {
    name: 'verification.completed when the shopper passes',
    why: 'it has an eventId and the given externalUserId',
    body: { externalUserId: 'anna' },
    happen: settle('verified'),
    expected: (facts) => [
      started(facts, { externalUserId: 'anna' }),
      ended('verification.completed', facts, { verified: true, externalUserId: 'anna' }),
    ],
  },
  {
    name: 'verification.completed after an ID check',
    why: 'an L1 estimate below the threshold requires a document',
    happen: settle('verified_after_id'),
    expected: (facts) => [
      started(facts),
      ended('verification.completed', facts, { verified: true }),
    ],
  },
  ...[
    ['failed_age_not_met', 'age_not_met'] as const,
    ['failed_image_quality', 'image_quality'] as const,
    ['failed_document_rejected', 'document_rejected'] as const,
    ['failed_face_mismatch', 'face_mismatch'] as const,
  ].map(([scenario, reason]): EventCase => ({
    name: `verification.failed with the reason ${reason}`,
    why: 'each failure has a separate reason',
    happen: settle(scenario),
    expected: (facts) => [
      started(facts),
      ended('verification.failed', facts, { verified: false, reason }),
    ],
  })),
  {
    name: 'verification.cancelled when the shopper leaves',
    why: 'its reason is always the same',
    body: { externalUserId: 'anna' },
    happen: settle('cancelled'),
    expected: (facts) => [
      started(facts, { externalUserId: 'anna' }),
      ended('verification.cancelled', facts, {
        verified: false,
        reason: 'cancelled',
        externalUserId: 'anna',
      }),
    ],
  },
  {
    name: 'session.timeout after ten minutes',
    why: 'its timestamp is the deadline, even if the timeout is noticed later',
    body: { externalUserId: 'anna' },
    happen: (world) => world.host.clock.advance(2 * TEN_MINUTES_MS),
    expected: (facts) => [
      started(facts, { externalUserId: 'anna' }),
      timedOut(facts, TEN_MINUTES_MS, { externalUserId: 'anna' }),
    ],
  },
  {
    name: 'session.timeout on demand',
    why: 'the deadline moves to the current time',
    happen: settle('timeout'),
    expected: (facts) => [started(facts), timedOut(facts, SECOND_MS)],
  },
  {
    name: 'session.timeout when a result arrives at the deadline',
    why: 'the deadline wins, and there are never two end events',
    happen: async (world, sessionId) => {
      await world.host.clock.advance(TEN_MINUTES_MS);
      await expect(world.control.settle(sessionId, 'verified')).rejects.toThrow(
        'The session is no longer pending: it is expired',
      );
    },
    expected: (facts) => [started(facts), timedOut(facts, TEN_MINUTES_MS)],
  },
  {
    name: 'only one end event',
    why: 'a settled session does not time out',
    happen: async (world, sessionId) => {
      await settle('verified')(world, sessionId);
      await world.host.clock.advance(2 * TEN_MINUTES_MS);
    },
    expected: (facts) => [
      started(facts),
      ended('verification.completed', facts, { verified: true }),
    ],
  },
];
