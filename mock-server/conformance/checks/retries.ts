import { setTimeout as wait } from 'node:timers/promises';
import { forEach, namedBy, type Check } from '../check.ts';
import { expectMatch } from '../matchers.ts';
import { ensure } from '../outcome.ts';
import type { Hook, World } from '../world.ts';
import { LIFETIME_MS } from './bodies.ts';
import { defineChecks, type CheckRow } from './define.ts';
import {
  CAP_MS,
  count,
  countDuring,
  DAY_MS,
  deliver,
  expectCount,
  failOnce,
  HOUR_MS,
  MINUTE_MS,
  SECOND_MS,
  verify,
} from './deliver.ts';

/** A limit for the attempts in an hour. Exponential delays lead to fewer. */
const MANY = 200;
const GRID_MS = 5 * SECOND_MS;

const COMPLETED: readonly CheckRow[] = [
  {
    id: 'completed.refused',
    sentence:
      'A verification.completed that is answered with another status than 2xx is sent again within ten minutes',
    ...forEach(
      namedBy(300, 304, 400, 401, 404, 408, 409, 410, 422, 429, 500, 502, 503),
      async (world, status) => {
        const hook = await deliver(world, failOnce(status));
        await world.driver.advance(CAP_MS);
        await expectCount(hook, 2, 'after ten minutes');
      },
    ),
  },
  {
    id: 'other-results',
    sentence: 'A verification.failed or verification.cancelled that is not accepted is sent again',
    ...forEach({ failed: 'failed', cancelled: 'cancelled' } as const, async (world, status) => {
      const hook = await world.hook({ events: [`verification.${status}`] });
      hook.respond(failOnce());
      await world.settle(await world.create(), status);
      await hook.waitFor(1);
      await world.driver.advance(CAP_MS);
      await expectCount(hook, 2, 'after ten minutes');
    }),
  },
  {
    id: 'accepted',
    sentence: 'A webhook that is answered with 2xx is not sent again',
    ...forEach(namedBy(200, 201, 202, 204, 299), async (world, status) => {
      const hook = await deliver(world, () => ({ status }));
      await world.driver.advance(HOUR_MS);
      await expectCount(hook, 1, 'after an hour');
    }),
  },
  {
    id: 'attempt-timeout',
    sentence: 'An attempt may take 15 seconds. After that, it counts as failed',
    ...forEach(
      { '13 seconds': [13, 1], '17 seconds': [17, 2] } as const,
      async (world, example) => {
        const [seconds, requests] = example;
        const hook = await world.hook({ events: ['verification.completed'] });
        if (world.isExact && hook.delay === undefined)
          return world.skip('a move of the clock may end slow attempts');
        const { delay = wait } = hook;
        const isFinished = new Promise<void>((resolve) => {
          hook.respond(async (n) => {
            if (n === 1) await delay(seconds * SECOND_MS);
            resolve();
            return { status: 204 };
          });
        });
        await verify(world);
        await hook.waitFor(1);
        await isFinished;
        await world.driver.advance(CAP_MS);
        await expectCount(hook, requests, 'after ten minutes');
      },
    ),
  },
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
      const hook = await deliver(world, failOnce());
      await world.driver.advance(HOUR_MS);
      const [, retry] = await hook.waitFor(2);
      const matcher = world.at(createdAtMs);
      const timestamp = retry?.body.timestamp ?? '';
      ensure(matcher.matches(timestamp), matcher.description, timestamp);
    },
  },
  {
    id: 'completed.cap',
    sentence: 'While an endpoint fails, at most ten minutes pass between two attempts',
    async run(world) {
      const hook = await deliver(world, () => ({ status: 500 }));
      await world.driver.advance(HOUR_MS);
      for (let step = 0; step < 3; step += 1) {
        const more = await countDuring(world, hook, CAP_MS);
        ensure(more > 0, 'another attempt within ten minutes', 'none');
      }
    },
  },
  {
    id: 'completed.backoff',
    sentence: 'The delays between attempts grow',
    async run(world) {
      const hook = await deliver(world, () => ({ status: 500 }));
      const early = 1 + (await countDuring(world, hook, CAP_MS));
      await world.driver.advance(HOUR_MS);
      const late = await countDuring(world, hook, CAP_MS);
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
      const first = 1 + (await countDuring(world, hook, HOUR_MS));
      // Without growing delays, a day would take thousands of attempts.
      ensure(first < MANY, `fewer than ${MANY} attempts in the first hour`, `${first}`);
      await world.driver.advance(DAY_MS - HOUR_MS - MINUTE_MS);
      const day = await count(hook);
      // The delays are at most ten minutes.
      ensure(day >= 144, 'at least 144 attempts in 24 hours', `${day}`);
      const end = day + (await countDuring(world, hook, MINUTE_MS));
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
      const more = await countDuring(world, hook, CAP_MS);
      ensure(more === 1, '1 request after the recovery', `${more}`);
    },
  },
];

const ALWAYS_500 = () => ({ status: 500 });

/** Checks of events with a number of attempts: how often they are sent in a day. */
const FEW: readonly CheckRow[] = [
  {
    id: 'timeout.three',
    sentence: 'A session.timeout has three attempts by default',
    run: (world) => expectInADay(world, ALWAYS_500, 'session.timeout', 3),
  },
  {
    id: 'timeout.configured',
    sentence: 'A session.timeout has as many attempts as the account is configured for',
    settings: { timeoutAttempts: 5 },
    run: (world) => expectInADay(world, ALWAYS_500, 'session.timeout', 5),
  },
  {
    id: 'timeout.recovers',
    sentence: 'A session.timeout that is accepted at the second attempt is not sent again',
    run: (world) => expectInADay(world, failOnce(503), 'session.timeout', 2),
  },
  {
    id: 'timeout.timestamp',
    section: 'Webhook event envelope',
    sentence: 'The timestamp of a session.timeout is the deadline, also in a retry',
    needs: ['now'],
    async run(world) {
      const deadline = world.at((await world.now()) + LIFETIME_MS);
      const hook = await deliver(world, failOnce(), { event: 'session.timeout' });
      await world.driver.advance(HOUR_MS);
      for (const { body } of await hook.waitFor(2))
        expectMatch('the timestamp', body.timestamp, deadline, false);
    },
  },
  {
    id: 'timeout.grid',
    level: 'reading',
    needs: ['now'],
    sentence: 'The retry of a session.timeout starts at a multiple of five seconds',
    async run(world) {
      const { advance } = world.driver;
      // Moves the deadline between two multiples of five seconds, so that a plain delay cannot end at a
      // multiple by chance.
      await advance(GRID_MS - ((await world.now()) % GRID_MS) + GRID_MS / 2);
      const hook = await deliver(world, failOnce(), { event: 'session.timeout' });
      for (let second = 0; second < 60 && hook.received().length === 1; second += 1)
        await advance(SECOND_MS);
      const afterMs = (await world.now()) % GRID_MS;
      ensure(hook.received().length === 2, 'a second attempt within a minute', 'none');
      const isOnGrid = afterMs < SECOND_MS;
      ensure(isOnGrid, 'the attempt at a multiple of five seconds', `${afterMs} ms after one`);
    },
  },
  {
    id: 'started.three',
    sentence: 'A session.started has three attempts',
    run: (world) => expectInADay(world, ALWAYS_500, 'session.started', 3),
  },
  {
    id: 'started.recovers',
    sentence: 'A session.started that is accepted at the second attempt is not sent again',
    run: (world) => expectInADay(world, failOnce(), 'session.started', 2),
  },
  {
    id: 'started.rejected',
    sentence: 'A session.started that is answered with 401 or 404 is not retried',
    ...forEach(namedBy(401, 404), (world, status) =>
      expectInADay(world, () => ({ status }), 'session.started', 1),
    ),
  },
  {
    id: 'started.quick',
    sentence: 'The three attempts of a session.started are made within a minute',
    level: 'reading',
    async run(world) {
      const hook = await deliver(world, ALWAYS_500, { event: 'session.started' });
      await world.driver.advance(MINUTE_MS);
      await expectCount(hook, 3, 'after a minute');
    },
  },
];

async function expectInADay(
  world: World,
  respond: (n: number) => { status: number },
  event: 'session.started' | 'session.timeout',
  attempts: number,
): Promise<void> {
  const hook = await deliver(world, respond, { event });
  await world.driver.advance(DAY_MS);
  await expectCount(hook, attempts, 'in all');
}

/** Causes one event. The endpoint responds to the first attempt with this header, and accepts the second. */
const deliverTwice = (world: World, retryAfter: string, status = 503): Promise<Hook> =>
  deliver(world, failOnce(status, { 'retry-after': retryAfter }));

/**
 * Checks that there is no second attempt until two seconds before the end of the delay, and that there is
 * one within ten minutes after that.
 */
async function expectDelay(world: World, hook: Hook, delayMs: number): Promise<void> {
  await world.driver.advance(delayMs - 2 * SECOND_MS);
  await expectCount(hook, 1, 'before the end of the delay');
  await world.driver.advance(CAP_MS);
  await expectCount(hook, 2, 'after the delay');
}

const RETRY_AFTER: readonly CheckRow[] = [
  {
    id: 'retry-after.seconds',
    sentence: 'A Retry-After of half an hour in a response with 429 or 503 is honoured',
    ...forEach(namedBy(429, 503), async (world, status) =>
      expectDelay(world, await deliverTwice(world, '1800', status), 30 * MINUTE_MS),
    ),
  },
  {
    id: 'retry-after.hour',
    sentence: 'A Retry-After of one hour is honoured in full',
    run: async (world) => expectDelay(world, await deliverTwice(world, '3600'), HOUR_MS),
  },
  {
    id: 'retry-after.date',
    sentence: 'A Retry-After with a date is honoured',
    level: 'should',
    async run(world) {
      // A receiver uses its own clock, which the driver does not move.
      const date = new Date(Date.now() + 20 * MINUTE_MS).toUTCString();
      await expectDelay(world, await deliverTwice(world, date), 20 * MINUTE_MS);
    },
  },
  {
    id: 'retry-after.longer',
    sentence: 'A Retry-After of a day is shortened to an hour',
    level: 'reading',
    async run(world) {
      const hook = await deliverTwice(world, '86400');
      await world.driver.advance(CAP_MS);
      await expectCount(hook, 1, 'after ten minutes');
      await world.driver.advance(HOUR_MS);
      await expectCount(hook, 2, 'after the hour');
    },
  },
  {
    id: 'retry-after.ignored',
    sentence:
      'A Retry-After that is invalid, or in a response with another status than 429 and 503, is ignored',
    level: 'reading',
    ...forEach(
      { status: ['3600', 500], invalid: ['soon', 503] } as const,
      async (world, [text, status]) => {
        const hook = await deliverTwice(world, text, status);
        await world.driver.advance(CAP_MS);
        await expectCount(hook, 2, 'after ten minutes');
      },
    ),
  },
];

const GROUP = {
  section: 'Limits',
  prefix: 'webhooks.retries',
  needs: ['addEndpoint', 'removeEndpoint', 'advance'],
  kind: 'slow',
} as const;

const RESULTS = { ...GROUP, needs: [...GROUP.needs, 'settle'] } as const;

/**
 * Checks of the retries of each kind of event. Each needs its own endpoint, because earlier failures change
 * the delays. Endpoints that stay would reach the limit of an account.
 */
export const RETRY_CHECKS: readonly Check[] = [
  ...defineChecks(RESULTS, COMPLETED),
  ...defineChecks(GROUP, FEW),
  ...defineChecks(RESULTS, RETRY_AFTER),
];
