import { createMockService } from 'ofage/mock';
import { expect, it } from 'vitest';
import { jsonHeaders, RETURN_URL } from '../../support/api.ts';

it('a session whose expiry is processed late has its deadline as the time of the timeout', async () => {
  let nowMs = Date.UTC(2026, 0, 1);
  // This is a laptop that slept: time has passed, but no timer has fired.
  const service = createMockService({ realClock: { now: () => nowMs, wakeAt: () => () => {} } });
  const { secretKey } = await service.ready;
  const post = (path: string, body: object) =>
    service.fetch(
      new Request(`http://localhost${path}`, {
        method: 'POST',
        headers: jsonHeaders(secretKey),
        body: JSON.stringify(body),
      }),
    );
  const created = await post('/api/v1/sessions/create', { returnUrl: RETURN_URL });
  const { sessionId } = (await created.json()) as { sessionId: string };
  nowMs += 3_600_000;

  const response = await post('/api/v1/sessions/validate', { sessionId });
  expect(await response.json()).toMatchObject({ message: 'Session has expired' });
  const deadline = '2026-01-01T00:10:00.000Z';
  expect(await service.control.session(sessionId)).toMatchObject({
    status: 'expired',
    settledAt: deadline,
  });
  const [, event] = await service.control.events({ sessionId });
  expect(event).toMatchObject({ event: 'session.timeout', createdAt: '2026-01-01T01:00:00.000Z' });
  expect(JSON.parse(event?.body ?? '')).toMatchObject({
    timestamp: deadline,
    data: { expiresAt: deadline, timestamp: deadline },
  });
});

it('the service keeps the event of a late timeout for seven days, so that it can be redelivered', async () => {
  const DAY = 86_400_000;
  let nowMs = Date.UTC(2026, 0, 1);
  const service = createMockService({ realClock: { now: () => nowMs, wakeAt: () => () => {} } });
  const session = await service.control.trigger({ name: 'never' });
  const eventsAfter = async (ms: number): Promise<number> => {
    nowMs += ms;
    await service.clock.advance(0);
    return (await service.control.events({ sessionId: session.id })).length;
  };
  expect(
    await eventsAfter(3 * DAY),
    'three days after the session, when the timeout is noticed',
  ).toBe(2);
  expect(await eventsAfter(6 * DAY), 'nine days after the session').toBe(2);
  expect(await eventsAfter(1 * DAY + 1), 'seven days after the event').toBe(0);
});
