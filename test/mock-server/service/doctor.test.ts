import { beforeEach, describe, expect, it } from 'vitest';
import { aMock, type Mock } from '../../support/a-mock.ts';

let my: Mock;
let sessionId: string;
beforeEach(async () => {
  my = await aMock();
  ({ sessionId } = await my.create({ externalUserId: 'anna' }));
});

describe('GET /doctor', () => {
  it('rejects a session of a different account', async () => {
    const { id } = await my.control.createTenant();
    expect(await my.call('GET', `/doctor?sessionId=${sessionId}&tenantId=${id}`)).toMatchObject({
      status: 404,
      body: { message: 'Session not found' },
    });
  });
});

describe('POST /observations', () => {
  const report = (body: object) => my.call('POST', '/observations', body);

  it('stores an observation, at the mock’s current time by default', async () => {
    const { tenantId } = my;
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
    const { body } = await my.call('GET', '/observations');
    expect(body.items).toEqual([
      expect.objectContaining({ id: 1 }),
      { ...second, id: 2, tenantId, at: '2026-01-01T00:00:01.000Z' },
    ]);
  });

  it('keeps the last 500 observations until a reset', async () => {
    const { control } = my;
    for (let n = 0; n < 501; n += 1)
      await control.addObservation({ kind: 'access_granted', sessionId });
    const kept = await control.observations();
    expect([kept.length, kept[0]!.id, kept.at(-1)!.id]).toEqual([500, 2, 501]);
    await control.reset();
    expect(await control.observations()).toEqual([]);
  });
});
