import { expect, it } from 'vitest';
import { aMock, NEW_YEAR } from '../../support/a-mock.ts';

/** Creates a mock on a laptop: while it sleeps, time passes but no timer fires. */
async function aSleepingLaptop() {
  let nowMs = NEW_YEAR;
  const mock = await aMock({
    clock: {},
    realClock: { now: () => nowMs, wakeAt: () => () => {} },
  });
  return { mock, sleep: (ms: number): void => void (nowMs += ms) };
}

it('a session whose expiry is processed late has its deadline as the time of the timeout', async () => {
  const laptop = await aSleepingLaptop();
  const { control, secretKey } = laptop.mock;
  const { sessionId } = await laptop.mock.create();
  laptop.sleep(3_600_000);

  const { body } = await laptop.mock.api('validate', secretKey, { sessionId });
  expect(body).toMatchObject({ message: 'Session has expired' });
  const deadline = '2026-01-01T00:10:00.000Z';
  expect(await control.session(sessionId)).toMatchObject({
    status: 'expired',
    settledAt: deadline,
  });
  const [, event] = await control.events({ sessionId });
  expect(event).toMatchObject({ event: 'session.timeout', createdAt: '2026-01-01T01:00:00.000Z' });
  expect(JSON.parse(event?.body ?? '')).toMatchObject({
    timestamp: deadline,
    data: { expiresAt: deadline, timestamp: deadline },
  });
});

it('the service keeps the event of a late timeout for seven days, so that it can be redelivered', async () => {
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
