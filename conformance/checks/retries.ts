import type { Check } from '../check.ts';
import type { EventKind } from '../driver.ts';
import type { WebhookAnswer } from '../inbox.ts';
import { ensure } from '../outcome.ts';
import type { Hook, World } from '../world.ts';
import { LIFETIME_MS } from './bodies.ts';
import { defineChecks, type CheckRow } from './define.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** The maximum delay between two attempts. */
const CAP_MS = 10 * MINUTE_MS;

/** A limit for the attempts in an hour. Exponential delays lead to fewer. */
const MANY = 200;

/** Causes one event of a new session. The endpoint responds with `respond`. */
export async function deliver(
  world: World,
  respond: (n: number) => WebhookAnswer,
  event: EventKind = 'verification.completed',
): Promise<Hook> {
  const hook = await world.hook({ events: [event] });
  hook.respond(respond);
  const session = await world.create();
  if (event === 'verification.completed') await world.settle(session, 'verified');
  if (event === 'session.timeout') await world.driver.advance(LIFETIME_MS);
  await hook.waitFor(1);
  return hook;
}

export async function expectCount(hook: Hook, count: number, when: string): Promise<void> {
  const received = await hook.quiet();
  ensure(
    received.length === count,
    `${count} request${count === 1 ? '' : 's'} ${when}`,
    `${received.length}`,
  );
}

const RETRIED: readonly CheckRow[] = [400, 401, 404, 408, 409, 410, 422, 429, 500, 502, 503].map(
  (status) => ({
    id: `completed.${status}`,
    sentence: `A verification.completed that is answered with ${status} is sent again within ten minutes`,
    async run(world) {
      const hook = await deliver(world, (n) => ({ status: n === 1 ? status : 204 }));
      await world.driver.advance(CAP_MS);
      await expectCount(hook, 2, 'after ten minutes');
    },
  }),
);

const ACCEPTED: readonly CheckRow[] = [200, 201, 202, 204].map((status) => ({
  id: `accepted.${status}`,
  sentence: `A webhook that is answered with ${status} is not sent again`,
  async run(world) {
    const hook = await deliver(world, () => ({ status }));
    await world.driver.advance(HOUR_MS);
    await expectCount(hook, 1, 'after an hour');
  },
}));

const IDENTITY: readonly CheckRow[] = [
  {
    id: 'same-bytes',
    sentence: 'Every retry has the same bytes and the same eventId',
    section: 'Events',
    async run(world) {
      const hook = await deliver(world, (n) => ({ status: n < 4 ? 500 : 204 }));
      await world.driver.advance(HOUR_MS);
      const received = await hook.waitFor(4);
      const texts = new Set(received.map(({ bytes }) => new TextDecoder().decode(bytes)));
      ensure(texts.size === 1, 'the same bytes each time', `${texts.size} different bodies`);
    },
  },
  {
    id: 'timestamp',
    section: 'Webhook event envelope',
    sentence: 'The timestamp of a completion event is the time of its creation, also in a retry',
    needs: ['now'],
    async run(world) {
      const createdAtMs = await world.now();
      const hook = await deliver(world, (n) => ({ status: n === 1 ? 500 : 204 }));
      await world.driver.advance(HOUR_MS);
      const [, retry] = await hook.waitFor(2);
      const matcher = world.at(createdAtMs);
      const timestamp = retry?.body.timestamp ?? '';
      ensure(matcher.matches(timestamp), matcher.description, timestamp);
    },
  },
];

const DURABLE: readonly CheckRow[] = [
  {
    id: 'completed.cap',
    sentence: 'While an endpoint fails, at most ten minutes pass between two attempts',
    async run(world) {
      const hook = await deliver(world, () => ({ status: 500 }));
      await world.driver.advance(HOUR_MS);
      for (let step = 0; step < 3; step += 1) {
        const before = (await hook.quiet()).length;
        await world.driver.advance(CAP_MS);
        const after = (await hook.quiet()).length;
        ensure(after > before, 'another attempt within ten minutes', 'none');
      }
    },
  },
  {
    id: 'completed.backoff',
    sentence: 'The delays between attempts grow',
    async run(world) {
      const hook = await deliver(world, () => ({ status: 500 }));
      await world.driver.advance(CAP_MS);
      const early = (await hook.quiet()).length;
      await world.driver.advance(HOUR_MS);
      const before = (await hook.quiet()).length;
      await world.driver.advance(CAP_MS);
      const late = (await hook.quiet()).length - before;
      // Requires a factor of two, because jitter alone can make a small difference.
      ensure(
        early > 2 * late,
        'less than half as many attempts in ten minutes after an hour',
        `${early} and then ${late}`,
      );
    },
  },
  {
    id: 'completed.24-hours',
    sentence: 'A completion event is retried for 24 hours, and not longer',
    async run(world) {
      const hook = await deliver(world, () => ({ status: 500 }));
      await world.driver.advance(HOUR_MS);
      const first = (await hook.quiet()).length;
      // Without growing delays, a day would take thousands of attempts.
      ensure(first < MANY, `fewer than ${MANY} attempts in the first hour`, `${first}`);
      await world.driver.advance(DAY_MS - HOUR_MS - MINUTE_MS);
      const day = (await hook.quiet()).length;
      // The delays are at most ten minutes.
      ensure(day >= 144, 'at least 144 attempts in 24 hours', `${day}`);
      await world.driver.advance(MINUTE_MS);
      const end = (await hook.quiet()).length;
      await world.driver.advance(DAY_MS);
      await expectCount(hook, end, 'after another day');
    },
  },
  {
    id: 'completed.late-success',
    sentence: 'A completion event is delivered when the endpoint recovers after hours',
    async run(world) {
      let isDown = true;
      const hook = await deliver(world, () => ({ status: isDown ? 500 : 204 }));
      await world.driver.advance(5 * HOUR_MS);
      isDown = false;
      const before = (await hook.quiet()).length;
      await world.driver.advance(CAP_MS);
      await expectCount(hook, before + 1, 'after the recovery');
    },
  },
];

const FEW: readonly CheckRow[] = [
  {
    id: 'timeout.three',
    sentence: 'A session.timeout has three attempts by default',
    async run(world) {
      const hook = await deliver(world, () => ({ status: 500 }), 'session.timeout');
      await world.driver.advance(DAY_MS);
      await expectCount(hook, 3, 'in all');
    },
  },
  {
    id: 'timeout.configured',
    sentence: 'A session.timeout has as many attempts as the account is configured for',
    settings: { timeoutAttempts: 5 },
    async run(world) {
      const hook = await deliver(world, () => ({ status: 500 }), 'session.timeout');
      await world.driver.advance(DAY_MS);
      await expectCount(hook, 5, 'in all');
    },
  },
  {
    id: 'timeout.recovers',
    sentence: 'A session.timeout that is accepted at the second attempt is not sent again',
    async run(world) {
      const hook = await deliver(
        world,
        (n) => ({ status: n === 1 ? 503 : 204 }),
        'session.timeout',
      );
      await world.driver.advance(DAY_MS);
      await expectCount(hook, 2, 'in all');
    },
  },
  {
    id: 'started.three',
    sentence: 'A session.started has three attempts',
    async run(world) {
      const hook = await deliver(world, () => ({ status: 500 }), 'session.started');
      await world.driver.advance(DAY_MS);
      await expectCount(hook, 3, 'in all');
    },
  },
  {
    id: 'started.recovers',
    sentence: 'A session.started that is accepted at the second attempt is not sent again',
    async run(world) {
      const hook = await deliver(
        world,
        (n) => ({ status: n === 1 ? 500 : 204 }),
        'session.started',
      );
      await world.driver.advance(HOUR_MS);
      await expectCount(hook, 2, 'in all');
    },
  },
  ...[401, 404].map((status): CheckRow => ({
    id: `started.${status}`,
    sentence: `A session.started that is answered with ${status} is not retried`,
    async run(world) {
      const hook = await deliver(world, () => ({ status }), 'session.started');
      await world.driver.advance(DAY_MS);
      await expectCount(hook, 1, 'in all');
    },
  })),
  {
    id: 'started.quick',
    sentence: 'The three attempts of a session.started are made within a minute',
    level: 'reading',
    async run(world) {
      const hook = await deliver(world, () => ({ status: 500 }), 'session.started');
      await world.driver.advance(MINUTE_MS);
      await expectCount(hook, 3, 'after a minute');
    },
  },
];

/**
 * Checks of the retries of each kind of event. They need a new account, because earlier failures change the
 * delays.
 */
export const RETRY_CHECKS: readonly Check[] = defineChecks(
  {
    section: 'Limits',
    prefix: 'webhooks.retries',
    needs: ['addEndpoint', 'settle', 'advance'],
  },
  [...RETRIED, ...ACCEPTED, ...IDENTITY, ...DURABLE, ...FEW].map((row) => ({
    settings: {},
    kind: 'slow',
    ...row,
  })),
);
