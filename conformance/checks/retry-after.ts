import type { Check } from '../check.ts';
import type { Hook, World } from '../world.ts';
import { defineChecks, type CheckRow } from './define.ts';
import { deliver, expectCount } from './retries.ts';

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
/** The maximum delay between two attempts if the response has no Retry-After. */
const CAP_MS = 10 * MINUTE_MS;

/** Causes one event. The endpoint responds to the first attempt with this header, and accepts the second. */
const deliverTwice = (world: World, retryAfter: string, status = 503): Promise<Hook> =>
  deliver(world, (n) =>
    n === 1 ? { status, headers: { 'retry-after': retryAfter } } : { status: 204 },
  );

/**
 * Checks that there is no second attempt until two seconds before the end of the delay, and that there is
 * one within ten minutes after that.
 */
async function expectDelay(world: World, hook: Hook, delayMs: number, end: string): Promise<void> {
  await world.driver.advance(delayMs - 2 * SECOND_MS);
  await expectCount(hook, 1, `before ${end}`);
  await world.driver.advance(CAP_MS);
  await expectCount(hook, 2, `after ${end}`);
}

const RETRY_AFTER: readonly CheckRow[] = [
  ...[429, 503].map((status): CheckRow => ({
    id: `retry-after.${status}`,
    sentence: `A Retry-After of half an hour in a response with ${status} is honoured`,
    async run(world) {
      const hook = await deliverTwice(world, '1800', status);
      await expectDelay(world, hook, 30 * MINUTE_MS, 'the end of the half hour');
    },
  })),
  {
    id: 'retry-after.date',
    sentence: 'A Retry-After with a date is honoured',
    level: 'should',
    async run(world) {
      // A receiver uses its own clock, which the driver does not move.
      const date = new Date(Date.now() + 20 * MINUTE_MS).toUTCString();
      const hook = await deliverTwice(world, date);
      await expectDelay(world, hook, 20 * MINUTE_MS, 'that date');
    },
  },
  {
    id: 'retry-after.hour',
    sentence: 'A Retry-After of one hour is honoured in full',
    async run(world) {
      const hook = await deliverTwice(world, '3600');
      await expectDelay(world, hook, HOUR_MS, 'the end of the hour');
    },
  },
  {
    id: 'retry-after.longer',
    sentence: 'A Retry-After of a day is shortened to an hour',
    level: 'should',
    async run(world) {
      const hook = await deliverTwice(world, '86400');
      await world.driver.advance(CAP_MS);
      await expectCount(hook, 1, 'after ten minutes');
      await world.driver.advance(HOUR_MS);
      await expectCount(hook, 2, 'after the hour');
    },
  },
  {
    id: 'retry-after.other-status',
    sentence:
      'A Retry-After in a response with 500 is ignored, because the specification names only 429 and 503',
    level: 'reading',
    async run(world) {
      const hook = await deliverTwice(world, '3600', 500);
      await world.driver.advance(CAP_MS);
      await expectCount(hook, 2, 'after ten minutes');
    },
  },
  {
    id: 'retry-after.nonsense',
    sentence: 'An invalid Retry-After does not stop the retries',
    level: 'reading',
    async run(world) {
      const hook = await deliverTwice(world, 'soon');
      await world.driver.advance(CAP_MS);
      await expectCount(hook, 2, 'after ten minutes');
    },
  },
];

/** Checks of the Retry-After header, with which a receiver asks for a delay. */
export const RETRY_AFTER_CHECKS: readonly Check[] = defineChecks(
  { section: 'Limits', prefix: 'webhooks.retries', needs: ['addEndpoint', 'settle', 'advance'] },
  RETRY_AFTER.map((row) => ({ settings: {}, kind: 'slow', ...row })),
);
