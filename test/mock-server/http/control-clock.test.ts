import { describe, expect, it } from 'vitest';
import { call, createSession, service, useService } from './control-calls.ts';

useService();

describe('the clock', () => {
  const JANUARY = '2026-01-01T00:00:00.000Z';

  it('can be frozen, moved and read', async () => {
    expect((await call('GET', '/clock')).body).toEqual({
      now: JANUARY,
      frozen: true,
      nextDue: null,
    });
    expect((await call('POST', '/clock/advance', { ms: 1500 })).body.now).toBe(
      '2026-01-01T00:00:01.500Z',
    );
    expect((await call('POST', '/clock/set', { now: '2026-02-01T00:00:00Z' })).body.now).toBe(
      '2026-02-01T00:00:00.000Z',
    );
    expect((await call('POST', '/clock/resume')).body.frozen).toBe(false);
    expect((await call('POST', '/clock/freeze')).body.frozen).toBe(true);
  });

  it('moves to the next due job, which is the end of a session', async () => {
    const { secretKey } = await service.ready;
    await createSession(secretKey);
    expect((await call('GET', '/clock')).body.nextDue).toBe('2026-01-01T00:10:00.000Z');
    expect((await call('POST', '/clock/next')).body.now).toBe('2026-01-01T00:10:00.000Z');
    expect((await call('GET', '/sessions')).body.items[0].status).toBe('expired');
  });

  it('has no due job once a session has ended', async () => {
    const { secretKey } = await service.ready;
    const id = await createSession(secretKey);
    await call('POST', `/sessions/${id}/outcome`, { outcome: 'verified' });
    expect((await call('GET', '/clock')).body.nextDue).toBeNull();
  });

  it.each([
    ['/clock/advance', { ms: -1 }, ['ms must not be less than 0']],
    ['/clock/advance', { ms: 0.5 }, ['ms must be an integer number']],
    ['/clock/advance', {}, ['ms must be an integer number']],
    ['/clock/advance', { ms: 1e300 }, ['ms must not be greater than 253402300799999']],
    ...[
      'soon',
      '2099-02-30T00:00:00Z',
      '2099-02-29',
      '2099-04-31T00:00:00+02:00',
      '2099-01-01T24:00:00Z',
      '2099-01-01T00:00:00',
      'Feb 1 2099',
    ].map((now): [string, object, string[]] => [
      '/clock/set',
      { now },
      [
        `now must be a date, or a date and time with its zone, such as 2026-01-31T12:00:00Z, got "${now}"`,
      ],
    ]),
    [
      '/clock/set',
      {},
      ['now must be a date, or a date and time with its zone, such as 2026-01-31T12:00:00Z'],
    ],
    [
      '/clock/set',
      { now: '2025-12-31T00:00:00Z' },
      'Time only moves forward: the clock shows 2026-01-01T00:00:00.000Z, got 2025-12-31T00:00:00.000Z',
    ],
  ])('%s rejects %j', async (path, body, message) => {
    const answer = await call('POST', path, body);
    expect(answer).toMatchObject({ status: 400, body: { message, path: `/control/v1${path}` } });
  });
});
