import { setTimeout as wait } from 'node:timers/promises';
import type { Check } from '../check.ts';
import { ensure } from '../outcome.ts';
import type { Hook, World } from '../world.ts';
import { defineChecks, type CheckRow } from './define.ts';
import { CAP_MS, count, countDuring, DAY_MS, expectCount, HOUR_MS, verify } from './deliver.ts';

/** The number of queued events. */
const EVENTS = 12;

/** Queues several events for an endpoint that fails until `isDown` returns false. */
async function queueEvents(world: World, isDown: () => boolean): Promise<Hook> {
  const hook = await world.hook({ events: ['verification.completed'] });
  hook.respond(() => ({ status: isDown() ? 500 : 204 }));
  for (let n = 0; n < EVENTS; n += 1) await verify(world);
  await hook.waitFor(1);
  return hook;
}

/** Queues events for an endpoint that fails for an hour and accepts requests after that. */
async function queueUntilRecovery(world: World): Promise<Hook> {
  let isDown = true;
  const hook = await queueEvents(world, () => isDown);
  await world.driver.advance(HOUR_MS);
  await hook.quiet();
  isDown = false;
  return hook;
}

/**
 * Lets the endpoint respond with 500 after a short delay. Returns a function that returns the highest
 * number of concurrent requests so far.
 */
function countParallel(hook: Hook): () => number {
  let open = 0;
  let most = 0;
  hook.respond(async () => {
    open += 1;
    most = Math.max(most, open);
    await wait(5);
    open -= 1;
    return { status: 500 };
  });
  return () => most;
}

/** Checks that requests of the second hour do not overlap. `happen` runs at its beginning. */
async function expectOneAtATime(
  world: World,
  hook: Hook,
  happen: () => Promise<void> = async () => {},
): Promise<void> {
  await world.driver.advance(HOUR_MS);
  const countMost = countParallel(hook);
  await happen();
  await world.driver.advance(HOUR_MS);
  await hook.quiet();
  ensure(countMost() === 1, 'one request at a time', `${countMost()} at the same time`);
}

const ROWS: readonly CheckRow[] = [
  {
    id: 'per-endpoint',
    sentence:
      'While an endpoint keeps failing, retries are paced for the endpoint, not for each event',
    async run(world) {
      const hook = await queueEvents(world, () => true);
      await world.driver.advance(HOUR_MS);
      const requests = await countDuring(world, hook, CAP_MS);
      ensure(
        requests < EVENTS,
        `fewer than ${EVENTS} requests in ten minutes, with ${EVENTS} events waiting`,
        `${requests}`,
      );
    },
  },
  {
    id: 'slows-down',
    sentence: 'After repeated failures, requests become less frequent',
    async run(world) {
      const hook = await queueEvents(world, () => true);
      const early = (await count(hook)) + (await countDuring(world, hook, CAP_MS));
      await world.driver.advance(HOUR_MS);
      const late = await countDuring(world, hook, CAP_MS);
      ensure(late < early, `fewer than ${early} requests in ten minutes`, `${late}`);
    },
  },
  {
    id: 'one-at-a-time',
    sentence: 'After repeated failures, one request is sent at a time',
    async run(world) {
      await expectOneAtATime(world, await queueEvents(world, () => true));
    },
  },
  {
    id: 'one-at-a-time.new-events',
    sentence: 'After repeated failures, new events are sent one at a time too',
    async run(world) {
      await expectOneAtATime(world, await queueEvents(world, () => true), async () => {
        const sessions = await Promise.all(Array.from({ length: EVENTS }, () => world.create()));
        await Promise.all(sessions.map((session) => world.settle(session, 'verified')));
      });
    },
  },
  {
    id: 'recovery',
    sentence: 'When the endpoint accepts a request again, all queued events are delivered',
    async run(world) {
      const hook = await queueUntilRecovery(world);
      const before = hook.received().length;
      await world.driver.advance(HOUR_MS);
      const delivered = new Set(
        (await hook.quiet()).slice(before).map(({ body }) => body.data?.['sessionId']),
      );
      ensure(delivered.size === EVENTS, `${EVENTS} events delivered`, `${delivered.size}`);
    },
  },
  {
    id: 'recovery.once',
    sentence: 'After the recovery, every event is delivered once',
    async run(world) {
      const hook = await queueUntilRecovery(world);
      const requests = await countDuring(world, hook, DAY_MS);
      ensure(requests === EVENTS, `${EVENTS} requests in the next day`, `${requests}`);
    },
  },
  {
    id: 'other-endpoint',
    sentence: 'An endpoint that fails does not delay another endpoint',
    async run(world) {
      await queueEvents(world, () => true);
      await world.driver.advance(HOUR_MS);
      const other = await world.hook({ events: ['verification.completed'] });
      await verify(world);
      await other.waitFor(1);
      await expectCount(other, 1, 'without a delay');
    },
  },
];

/** Checks of the pace of requests to an endpoint that fails. */
export const PACING_CHECKS: readonly Check[] = defineChecks(
  {
    section: 'Limits',
    prefix: 'webhooks.pacing',
    needs: ['addEndpoint', 'removeEndpoint', 'settle', 'advance', 'now'],
    kind: 'slow',
  },
  ROWS,
);
