import { forEach, namedBy, type Check } from '../check.ts';
import type { EventKind, SettledStatus } from '../driver.ts';
import { describeWebhooks } from '../hooks.ts';
import { ABSENT, AGE, expectMatch, Matcher, MODE, TEXT } from '../matchers.ts';
import { ensure } from '../outcome.ts';
import type { Hook, World } from '../world.ts';
import { LIFETIME_MS } from './bodies.ts';
import { defineChecks, type CheckRow } from './define.ts';

const OPTIONAL_TEXT = new Matcher(
  'a string or nothing',
  (value) => value === undefined || (typeof value === 'string' && value !== ''),
);

/** A session's values that its payloads contain, and the world of the check. */
interface Facts {
  readonly world: World;
  readonly tenantId: string;
  readonly sessionId: string;
  readonly createdAtMs: number;
  readonly settledAtMs: number;
  /** The externalUserId. It must be absent if it was not given. */
  readonly user: { externalUserId: unknown };
  readonly policy: { verificationMode: unknown; challengeAge: unknown };
}

const started = ({ world, tenantId, sessionId, createdAtMs, user, policy }: Facts): object => ({
  event: 'session.started',
  timestamp: world.at(createdAtMs),
  tenantId,
  test: false,
  data: { sessionId, ...policy, timestamp: world.at(createdAtMs), ...user },
});

const ended = (event: EventKind, facts: Facts, data: object, eventId = TEXT): object => ({
  event,
  timestamp: facts.world.at(facts.settledAtMs),
  tenantId: facts.tenantId,
  test: false,
  data: {
    sessionId: facts.sessionId,
    ...facts.policy,
    timestamp: facts.world.at(facts.settledAtMs),
    ...facts.user,
    ...data,
  },
  eventId,
});

const timedOut = (facts: Facts): object =>
  ended(
    'session.timeout',
    { ...facts, settledAtMs: facts.createdAtMs + LIFETIME_MS },
    { expiresAt: facts.world.at(facts.createdAtMs + LIFETIME_MS) },
  );

const ENDS = {
  verified: (facts: Facts) =>
    ended('verification.completed', facts, { verified: true, reason: ABSENT }),
  failed: (facts: Facts) =>
    ended('verification.failed', facts, { verified: false, reason: TEXT }, OPTIONAL_TEXT),
  cancelled: (facts: Facts) =>
    ended('verification.cancelled', facts, { verified: false, reason: 'cancelled' }, OPTIONAL_TEXT),
} as const satisfies Record<SettledStatus, (facts: Facts) => object>;

const STATUSES = ['verified', 'failed', 'cancelled'] as const;

interface Story {
  readonly hook: Hook;
  readonly facts: Facts;
}

/** Creates an endpoint and a session, and calls `happen` with the session. */
async function runSession(
  world: World,
  fields: { externalUserId?: string; verificationMode?: string; challengeAge?: number },
  happen: (world: World, session: Awaited<ReturnType<World['create']>>) => Promise<unknown>,
): Promise<Story> {
  const hook = await world.hook();
  const tenantId = await world.tenantId();
  const createdAtMs = await world.now();
  const session = await world.create(fields);
  await hook.waitForEvent('session.started');
  await happen(world, session);
  const { externalUserId, ...policy } = fields;
  const known = world.isNewAccount ? { verificationMode: 'L1', challengeAge: 25 } : {};
  const facts: Facts = {
    world,
    tenantId,
    sessionId: session.sessionId,
    createdAtMs,
    settledAtMs: await world.now(),
    user: { externalUserId: externalUserId ?? ABSENT },
    policy: { verificationMode: MODE, challengeAge: AGE, ...known, ...policy },
  };
  return { hook, facts };
}

const settleLater =
  (status: SettledStatus) =>
  async (world: World, session: Awaited<ReturnType<World['create']>>): Promise<void> => {
    // Moves the clock, so that the time of the result differs from that of the creation.
    if (world.isExact) await world.driver.advance(1_000);
    await world.settle(session, status);
  };

/** Checks that exactly these webhooks arrived, in any order. */
async function expectWebhooks({ hook, facts }: Story, expected: readonly object[]): Promise<void> {
  await hook.waitFor(expected.length);
  const received = await hook.quiet();
  ensure(
    received.length === expected.length,
    `${expected.length} webhook${expected.length === 1 ? '' : 's'}`,
    describeWebhooks(received),
  );
  for (const body of expected) {
    const { event } = body as { event: string };
    const webhook = received.find((one) => one.body.event === event);
    ensure(webhook !== undefined, `the webhook ${event}`, describeWebhooks(received));
    expectMatch(`the payload of ${event}`, webhook.body, body, facts.world.isStrict);
  }
}

const PAYLOADS: readonly CheckRow[] = [
  {
    id: 'session-started',
    sentence:
      'A session.started is sent when a session is created, with every field of its payload',
    async run(world) {
      const story = await runSession(world, {}, async () => {});
      await expectWebhooks(story, [started(story.facts)]);
    },
  },
  {
    id: 'session-started.no-event-id',
    sentence: 'A session.started has no eventId, which only results and timeouts have',
    level: 'reading',
    async run(world) {
      const hook = await world.hook();
      await world.create();
      const [webhook] = await hook.waitForEvent('session.started');
      expectMatch('the payload', webhook?.body, { eventId: ABSENT }, false);
    },
  },
  ...(
    [
      ['payload', 'is sent once, with every field of its payload', {}],
      [
        'externalUserId',
        'contains the externalUserId, if it was given',
        { externalUserId: 'anna-ü' },
      ],
      [
        'policy',
        'contains the mode and age of the session',
        { verificationMode: 'L2', challengeAge: 40 },
      ],
    ] as const
  ).map(([id, phrase, fields]): CheckRow => ({
    id: `end.${id}`,
    sentence: `The event of a settled session ${phrase}`,
    needs: ['settle'],
    ...forEach(namedBy(...STATUSES), async (world, status) => {
      const story = await runSession(world, fields, settleLater(status));
      await expectWebhooks(story, [started(story.facts), ENDS[status](story.facts)]);
    }),
  })),
  {
    id: 'timeout.payload',
    section: 'Webhook event envelope',
    sentence:
      'The timestamp of a session.timeout is the deadline, even if the service notices the timeout later',
    kind: 'slow',
    needs: ['advance'],
    ...forEach<{ externalUserId?: string }>(
      { 'with a user': { externalUserId: 'anna' }, 'without a user': {} },
      async (world, fields) => {
        const story = await runSession(world, fields, () => world.driver.advance(2 * LIFETIME_MS));
        await expectWebhooks(story, [started(story.facts), timedOut(story.facts)]);
      },
    ),
  },
  {
    id: 'timeout.on-time',
    sentence: 'No session.timeout is sent before the deadline',
    kind: 'slow',
    needs: ['advance'],
    async run(world) {
      const story = await runSession(world, {}, (_world) =>
        world.driver.advance(LIFETIME_MS - 5_000),
      );
      await expectWebhooks(story, [started(story.facts)]);
    },
  },
];

const OTHER_RULES: readonly CheckRow[] = [
  {
    id: 'end.once',
    section: 'States and transitions',
    sentence: 'A settled session does not time out, so no second event about its end is sent',
    kind: 'slow',
    needs: ['settle', 'advance'],
    ...forEach(namedBy(...STATUSES), async (world, status) => {
      const story = await runSession(world, {}, settleLater(status));
      await world.driver.advance(2 * LIFETIME_MS);
      await expectWebhooks(story, [started(story.facts), ENDS[status](story.facts)]);
    }),
  },
  {
    id: 'end.late',
    section: 'States and transitions',
    sentence: 'A result after the deadline changes nothing, because the deadline is authoritative',
    kind: 'slow',
    needs: ['settle', 'advance'],
    async run(world) {
      const story = await runSession(world, {}, async (_world, session) => {
        await world.driver.advance(LIFETIME_MS);
        // The service may refuse the result, or ignore it.
        await world.settle(session, 'verified').catch(() => {});
      });
      await expectWebhooks(story, [started(story.facts), timedOut(story.facts)]);
    },
  },
  {
    id: 'event-id.unique',
    sentence: 'Every verification.completed has a different eventId',
    needs: ['settle'],
    async run(world) {
      const hook = await world.hook();
      for (let n = 0; n < 3; n += 1) await world.settle(await world.create(), 'verified');
      const events = await hook.waitForEvent('verification.completed', 3);
      const ids = new Set(events.map(({ body }) => body.eventId));
      ensure(ids.size === 3 && !ids.has(undefined), '3 different values of eventId', `${ids.size}`);
    },
  },
  {
    id: 'no-secrets',
    section: 'Authentication',
    sentence: 'No webhook contains a token of the session',
    needs: ['settle'],
    async run(world) {
      const hook = await world.hook();
      const session = await world.create();
      await world.settle(session, 'verified');
      await hook.waitForEvent('verification.completed');
      const text = hook
        .received()
        .map(({ bytes }) => new TextDecoder().decode(bytes))
        .join();
      const isThere = text.includes(session.sessionToken) || text.includes(session.handoffToken);
      ensure(!isThere, 'no token in a webhook', 'a token in a webhook');
    },
  },
  {
    id: 'success.does-not-wait',
    sentence: 'A verification succeeds even if no webhook can be delivered',
    needs: ['settle'],
    async run(world) {
      const hook = await world.hook();
      hook.respond(() => ({ status: 500 }));
      const session = await world.create();
      await world.settle(session, 'verified');
      const { json } = await world.validate(session.sessionId);
      expectMatch('the body', json, { verified: true, status: 'verified' }, false);
    },
  },
];

/** Checks of the events of a session and of their payloads. */
export const EVENT_CHECKS: readonly Check[] = defineChecks(
  { section: 'Events', prefix: 'events', needs: ['addEndpoint'] },
  [...PAYLOADS, ...OTHER_RULES],
);
