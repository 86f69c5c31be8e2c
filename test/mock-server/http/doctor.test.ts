import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { aService, type TestService } from './a-service.ts';

let my: TestService;
let sessionId: string;
beforeEach(async () => {
  my = aService();
  ({ sessionId } = await my.create({ externalUserId: 'anna' }));
});
afterEach(() => my.service.close());

const NOBODY = '00000000-0000-4000-8000-000000000000';

describe('GET /doctor', () => {
  it('returns the report of control.doctor()', async () => {
    const { tenantId } = await my.service.ready;
    const { status, body } = await my.control('GET', `/doctor?tenantId=${tenantId}`);
    expect(status).toBe(200);
    expect(body).toEqual(await my.service.control.doctor({ tenantId }));
    expect(body.findings).toMatchObject([{ code: 'webhook_missing', severity: 'warning' }]);
  });

  it.each([
    ['an unknown session', `?sessionId=${NOBODY}`, 404, 'Session not found'],
    ['an unknown account', '?tenantId=nobody', 404, 'Tenant not found'],
    ['an unknown parameter', '?session=1', 400, ['property session should not exist']],
  ])('rejects %s', async (_what, query, status, message) => {
    expect(await my.control('GET', `/doctor${query}`)).toMatchObject({ status, body: { message } });
  });

  it('rejects a session of a different account', async () => {
    const { id } = await my.service.control.createTenant();
    expect(await my.control('GET', `/doctor?sessionId=${sessionId}&tenantId=${id}`)).toMatchObject({
      status: 404,
      body: { message: 'Session not found' },
    });
  });
});

describe('POST /observations', () => {
  const report = (body: object) => my.control('POST', '/observations', body);

  it('stores an observation, at the mock’s current time by default', async () => {
    const { tenantId } = await my.service.ready;
    const first = { kind: 'access_granted', sessionId };
    expect(await report(first)).toMatchObject({
      status: 201,
      body: { id: 1, at: '2026-01-01T00:00:00.000Z', ...first, tenantId, eventId: null, by: null },
    });
    const second = {
      kind: 'webhook_processed',
      sessionId,
      eventId: 'an event',
      by: 'mailer',
      at: '2026-01-01T01:00:01+01:00',
    };
    await report(second);
    const { body } = await my.control('GET', '/observations');
    expect(body.items).toEqual([
      expect.objectContaining({ id: 1 }),
      { ...second, id: 2, tenantId, at: '2026-01-01T00:00:01.000Z' },
    ]);
  });

  it.each([
    [
      {},
      [
        'kind must be one of the following values: access_granted, url_status_trusted, webhook_processed',
      ],
    ],
    [{ kind: 'webhook_processed' }, ['eventId should not be empty', 'eventId must be a string']],
    [
      // Without a time zone the time would depend on the machine.
      { kind: 'access_granted', at: '2026-01-01T00:00:00' },
      [
        'at must be a date, or a date and time with its zone, such as 2026-01-31T12:00:00Z, got "2026-01-01T00:00:00"',
      ],
    ],
    [
      { kind: 'access_granted', at: 'now' },
      [
        'at must be a date, or a date and time with its zone, such as 2026-01-31T12:00:00Z, got "now"',
      ],
    ],
    [
      { kind: 'access_granted', at: '2026-13-45T00:00:00Z' },
      [
        'at must be a date, or a date and time with its zone, such as 2026-01-31T12:00:00Z, got "2026-13-45T00:00:00Z"',
      ],
    ],
    [
      { kind: 'access_granted', at: '2026-02-30T00:00:00Z' },
      [
        'at must be a date, or a date and time with its zone, such as 2026-01-31T12:00:00Z, got "2026-02-30T00:00:00Z"',
      ],
    ],
    [
      { kind: 'access_granted', by: 'x'.repeat(101) },
      ['by must be shorter than or equal to 100 characters'],
    ],
    [{ kind: 'access_granted', status: 1 }, ['property status should not exist']],
  ])('rejects %j', async (body, message) => {
    expect(await report({ sessionId, ...body })).toMatchObject({ status: 400, body: { message } });
  });

  it('accepts 100 characters in the field "by"', async () => {
    const by = 'x'.repeat(100);
    expect(await report({ kind: 'access_granted', sessionId, by })).toMatchObject({ status: 201 });
  });

  it('rejects an unknown session', async () => {
    expect(await report({ kind: 'access_granted', sessionId: NOBODY })).toMatchObject({
      status: 404,
      body: { message: 'Session not found' },
    });
  });

  it('keeps the last 500 observations until a reset', async () => {
    const { control } = my.service;
    for (let n = 0; n < 501; n += 1)
      await control.addObservation({ kind: 'access_granted', sessionId });
    const kept = await control.observations();
    expect([kept.length, kept[0]!.id, kept.at(-1)!.id]).toEqual([500, 2, 501]);
    await control.reset();
    expect(await control.observations()).toEqual([]);
  });
});
