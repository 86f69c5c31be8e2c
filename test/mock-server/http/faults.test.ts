import { beforeEach, describe, expect, it, vi } from 'vitest';
import { createManualClock } from '../../support/manual-clock.ts';
import { aMock, type Mock } from '../../support/a-mock.ts';

const returnUrl = 'http://localhost/';
let my: Mock;
beforeEach(async () => {
  my = await aMock();
});

describe('a fault', () => {
  it('is added, listed and removed', async () => {
    const added = await my.call('POST', '/faults', { operation: 'create', fault: '500' });
    expect(added).toMatchObject({
      status: 201,
      body: {
        id: expect.any(String),
        operation: 'create',
        fault: '500',
        tenantId: null,
        remaining: 1,
        delayMs: 20_000,
        createdAt: '2026-01-01T00:00:00.000Z',
      },
    });
    await my.call('POST', '/faults', { operation: 'hosted', fault: 'slow', count: 3 });
    expect((await my.call('GET', '/faults')).body.items).toHaveLength(2);
    expect((await my.call('GET', '/state')).body.faults).toHaveLength(2);
    expect((await my.call('DELETE', `/faults/${added.body.id}`)).status).toBe(204);
    expect((await my.call('DELETE', `/faults/${added.body.id}`)).status).toBe(404);
    expect((await my.call('DELETE', '/faults')).status).toBe(204);
    expect((await my.call('GET', '/faults')).body.items).toEqual([]);
  });

  it('applies `count` times, and then never again', async () => {
    const { secretKey } = my;
    await my.control.addFault({ operation: 'create', fault: '503', count: 2 });
    const statuses = [];
    for (let n = 0; n < 4; n += 1) {
      statuses.push((await my.api('create', secretKey, { returnUrl })).status);
    }
    expect(statuses).toEqual([503, 503, 201, 201]);
    expect(await my.control.sessions()).toHaveLength(2);
  });

  it('is used up before the next fault for the same operation', async () => {
    const { secretKey } = my;
    await my.control.addFault({ operation: 'create', fault: '500' });
    await my.control.addFault({ operation: 'validate', fault: '503' });
    await my.control.addFault({ operation: 'create', fault: '429' });
    const statuses = [];
    for (let n = 0; n < 3; n += 1) {
      statuses.push((await my.api('create', secretKey, { returnUrl })).status);
    }
    expect(statuses).toEqual([500, 429, 201]);
  });

  it('has no effect on the session, which can still be validated after a fault', async () => {
    const { secretKey } = my;
    const { sessionId } = await my.create();
    await my.control.settle(sessionId, 'verified');
    await my.control.addFault({ operation: 'validate', fault: 'malformed' });
    const cut = await my.api('validate', secretKey, { sessionId });
    expect(cut).toMatchObject({ status: 200, text: '{"sessionId":"', body: undefined });
    expect(cut.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect((await my.api('validate', secretKey, { sessionId })).body.verified).toBe(true);
  });

  it('is not used up by a request with an unknown key', async () => {
    await my.control.addFault({ operation: 'create', fault: '500' });
    expect((await my.api('create', 'sk_unknown', { returnUrl })).status).toBe(401);
    expect(await my.control.faults()).toHaveLength(1);
  });

  it('can apply to the requests of the hosted page', async () => {
    const { sessionToken } = await my.create();
    await my.control.addFault({ operation: 'hosted', fault: '500', count: 2 });
    expect((await my.hosted('submit', sessionToken)).status).toBe(500);
    expect((await my.hosted('session', sessionToken)).status).toBe(500);
    expect((await my.hosted('submit', sessionToken)).body.status).toBe('verified');
  });

  it('of the kind slow delays the normal response in real time', async () => {
    const realClock = createManualClock();
    const slow = await aMock({ realClock });
    const { secretKey } = slow;
    await slow.control.addFault({ operation: 'create', fault: 'slow', delayMs: 5_000 });
    let answered = 0;
    const { sleepers } = realClock;
    const sent = slow.api('create', secretKey, { returnUrl }).then(({ status }) => {
      answered = status;
    });
    // Tokens are signed off the main thread, so the request takes a while to reach the delay.
    await vi.waitUntil(() => realClock.sleepers > sleepers, 10_000);
    await realClock.pass(4_999);
    expect(answered).toBe(0);
    await realClock.pass(1);
    await sent;
    expect(answered).toBe(201);
  });
});
