import { expect, it } from 'vitest';
import { aMock, NEW_YEAR } from '../../support/a-mock.ts';

/** Creates a mock on a laptop: while it sleeps, time passes but no timer fires. */
async function aSleepingLaptop() {
  let nowMs = NEW_YEAR;
  const errors: unknown[] = [];
  const mock = await aMock({
    clock: {},
    realClock: { now: () => nowMs, wakeAt: () => () => {} },
    onError: (error) => errors.push(error),
  });
  function sleep(ms: number): void {
    nowMs += ms;
  }
  return { mock, errors, sleep };
}

it('a computer that slept keeps the event of a late timeout for seven days, so that it can be redelivered', async () => {
  const DAY = 86_400_000;
  const laptop = await aSleepingLaptop();
  const { control, clock } = laptop.mock;
  const session = await control.trigger({ name: 'never' });
  const eventsAfter = async (ms: number): Promise<number> => {
    laptop.sleep(ms);
    await clock.advance(0);
    return (await control.events({ sessionId: session.id })).length;
  };
  expect(
    await eventsAfter(3 * DAY),
    'three days after the session, when the timeout is noticed',
  ).toBe(2);
  expect(await eventsAfter(6 * DAY), 'nine days after the session').toBe(2);
  expect(await eventsAfter(1 * DAY + 1), 'seven days after the event').toBe(0);
});

it('a session that ends after its page was closed leaves no timer behind', async () => {
  const mock = await aMock();
  const { sessionId, sessionToken } = await mock.create();
  await mock.hosted('session', sessionToken);
  await mock.hosted('leave', sessionToken);
  await mock.control.settle(sessionId, 'verified');
  expect(await mock.clock.read()).toMatchObject({ nextDue: null });
});

it('a computer that slept past the deadline of a session whose page was closed expires it', async () => {
  const { mock, errors, sleep } = await aSleepingLaptop();
  const { sessionId, sessionToken } = await mock.create();
  await mock.hosted('session', sessionToken);
  await mock.hosted('leave', sessionToken);
  sleep(600_000);
  await mock.clock.advance(0);
  expect(await mock.control.session(sessionId)).toMatchObject({ status: 'expired' });
  expect(errors).toEqual([]);
});
