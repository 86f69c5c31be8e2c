import { describe, expect, it } from 'vitest';
import { LOG_FORMAT } from '../../../mock-server/core/log.ts';
import { createManualClock } from '../../support/manual-clock.ts';
import { aService, NEW_YEAR } from './a-service.ts';
import { aRun } from './a-run.ts';

describe('a snapshot', () => {
  it('can be loaded by a different service, which continues the run', async () => {
    const here = aService();
    const { pending, verified } = await aRun(here);
    const { body: snapshot } = await here.control('GET', '/snapshot');
    expect(snapshot).toMatchObject({
      format: 'ofage-mock-snapshot',
      version: LOG_FORMAT,
      takenAt: '2026-01-01T00:04:00.000Z',
      frozen: true,
    });
    const keys = await here.service.ready;
    await here.service.close();

    const there = aService({ clock: { now: NEW_YEAR + 1e12, frozen: false } });
    await there.create();
    expect((await there.control('PUT', '/snapshot', snapshot)).status).toBe(204);
    expect((await there.control('GET', '/state')).body).toMatchObject({
      now: '2026-01-01T00:04:00.000Z',
      clock: { frozen: true, nextDue: '2026-01-01T00:10:00.000Z' },
      tenants: [{ id: keys.tenantId }],
      counts: { sessions: 2, events: 3 },
    });
    // Keys and tokens work as in the saved run.
    const { secretKey } = keys;
    const { sessionId } = verified;
    expect((await there.api('validate', secretKey, { sessionId })).body.verified).toBe(true);
    expect((await there.hosted('session', pending.sessionToken)).body.status).toBe('pending');
    await there.service.clock.next();
    expect((await there.hosted('session', pending.sessionToken)).body.status).toBe('expired');
    await there.service.close();
  });

  it('with a running clock continues from its saved time, even if it is loaded much later', async () => {
    const realClock = createManualClock(NEW_YEAR);
    const my = aService({ realClock, clock: {} });
    const { sessionId } = await my.create();
    await realClock.pass(540_000);
    const snapshot = await my.service.control.snapshot();
    await realClock.pass(86_400_000);
    expect((await my.service.control.session(sessionId)).status).toBe('expired');

    await my.service.control.loadSnapshot(snapshot);
    await realClock.pass(59_999);
    expect((await my.service.control.session(sessionId)).status).toBe('pending');
    await realClock.pass(1);
    expect((await my.service.control.session(sessionId)).status).toBe('expired');
    await my.service.close();
  });

  it('is unchanged after it is loaded and saved again', async () => {
    const my = aService();
    await aRun(my);
    await my.service.control.addFault({ operation: 'validate', fault: '500', count: 9 });
    const snapshot = await my.service.control.snapshot();
    await my.service.control.reset();
    await my.service.control.loadSnapshot(JSON.parse(JSON.stringify(snapshot)));
    expect(await my.service.control.snapshot()).toEqual(snapshot);
    await my.service.close();
  });

  it('may have accounts without keys, except the first, and a reset still works', async () => {
    const my = aService({ tenants: [{ name: 'Wine' }] });
    const before = await my.service.ready;
    const snapshot: any = await my.service.control.snapshot();
    const [wine] = snapshot.tables.tenants;
    snapshot.tables.tenants = [
      { ...wine, name: 'Beer' },
      { ...wine, id: 'w', name: 'Wine' },
    ];
    expect((await my.control('PUT', '/snapshot', snapshot)).status).toBe(204);
    expect((await my.control('POST', '/reset')).status).toBe(200);
    const pairs = await my.service.control.keyPairs('w');
    expect(pairs).toHaveLength(1);
    expect(pairs[0]?.secret.value).not.toBe(before.secretKey);
    await my.service.close();
  });

  it('may be larger than other request bodies', async () => {
    const my = aService();
    for (let n = 0; n < 200; n += 1) await my.create();
    const snapshot = await my.service.control.snapshot();
    expect(JSON.stringify(snapshot).length).toBeGreaterThan(65_536);
    expect((await my.control('PUT', '/snapshot', snapshot)).status).toBe(204);
    await my.service.close();
  });
});
