import { describe, expect, it } from 'vitest';
import { LOG_FORMAT } from '../../../mock-server/store/log.ts';
import { createManualClock } from '../../support/manual-clock.ts';
import { aMock, NEW_YEAR } from '../../support/a-mock.ts';
import { aRun } from './a-run.ts';

describe('a snapshot', () => {
  it('can be loaded by a different service, which continues the run', async () => {
    const here = await aMock();
    const { pending, verified } = await aRun(here);
    const { body: snapshot } = await here.call('GET', '/snapshot');
    expect(snapshot).toMatchObject({
      format: 'ofage-mock-snapshot',
      version: LOG_FORMAT,
      takenAt: '2026-01-01T00:04:00.000Z',
      frozen: true,
    });
    const keys = here;
    await here.service.close();

    const there = await aMock({ clock: { now: NEW_YEAR + 1e12, frozen: false } });
    await there.create();
    expect((await there.call('PUT', '/snapshot', snapshot)).status).toBe(204);
    expect((await there.call('GET', '/state')).body).toMatchObject({
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
    await there.clock.next();
    expect((await there.hosted('session', pending.sessionToken)).body.status).toBe('expired');
  });

  it('with a running clock continues from its saved time, even if it is loaded much later', async () => {
    const realClock = createManualClock(NEW_YEAR);
    const my = await aMock({ realClock, clock: {} });
    const { sessionId } = await my.create();
    await realClock.pass(540_000);
    const snapshot = await my.control.snapshot();
    await realClock.pass(86_400_000);
    expect((await my.control.session(sessionId)).status).toBe('expired');

    await my.control.loadSnapshot(snapshot);
    await realClock.pass(59_999);
    expect((await my.control.session(sessionId)).status).toBe('pending');
    await realClock.pass(1);
    expect((await my.control.session(sessionId)).status).toBe('expired');
  });

  it('is unchanged after it is loaded and saved again', async () => {
    const my = await aMock();
    await aRun(my);
    await my.control.addFault({ operation: 'validate', fault: '500', count: 9 });
    const snapshot = await my.control.snapshot();
    await my.control.reset();
    await my.control.loadSnapshot(JSON.parse(JSON.stringify(snapshot)));
    expect(await my.control.snapshot()).toEqual(snapshot);
  });

  it('may have accounts without keys, except the first, and a reset still works', async () => {
    const my = await aMock({ tenants: [{ name: 'Wine' }] });
    const before = my;
    const snapshot: any = await my.control.snapshot();
    const [wine] = snapshot.tables.tenants;
    snapshot.tables.tenants = [
      { ...wine, name: 'Beer' },
      { ...wine, id: 'w', name: 'Wine' },
    ];
    expect((await my.call('PUT', '/snapshot', snapshot)).status).toBe(204);
    expect((await my.call('POST', '/reset')).status).toBe(200);
    const pairs = await my.control.keyPairs('w');
    expect(pairs).toHaveLength(1);
    expect(pairs[0]?.secret.value).not.toBe(before.secretKey);
  });

  it('may be larger than other request bodies', async () => {
    const my = await aMock();
    for (let n = 0; n < 200; n += 1) await my.create();
    const snapshot = await my.control.snapshot();
    expect(JSON.stringify(snapshot).length).toBeGreaterThan(65_536);
    expect((await my.call('PUT', '/snapshot', snapshot)).status).toBe(204);
  });
});
