import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type ChangeResource, describeChange } from '../../../mock-server/api/changes.ts';
import { openSqliteLog } from '../../../mock-server/store/logs/sqlite.ts';
import { aMock, answered, HOOK, type Mock, NEW_YEAR, openMock } from '../../support/a-mock.ts';
import { aFolder } from '../../support/folder.ts';
import { createManualClock } from '../../support/manual-clock.ts';
import { createSharedMemory, createSharedMemoryLog } from '../../support/shared-memory-log.ts';
import { waitFor } from '../../support/wait-for.ts';

const HOUR = 3_600_000;
const MINUTE = 60_000;

const toMs = (ms: number): string => `${ms} ms`;
const titleOf = (change: ChangeResource): string => describeChange(change, toMs);

/** Returns the sentences of the changes, oldest first. */
async function titles({ control }: Pick<Mock, 'control'>): Promise<string[]> {
  return (await control.changes({ limit: 1_000 })).map(titleOf).toReversed();
}

describe('a clock move', () => {
  it.each([
    ['exactly one hour', HOUR],
    ['800 ms', 800],
    ['1 ms', 1],
  ])('of %s is recorded exactly, while the clock runs', async (_name, ms) => {
    // Each reading of the computer's clock is later than the one before.
    let realMs = NEW_YEAR;
    const realClock = { now: () => (realMs += 7), wakeAt: () => () => {} };
    const mock = await aMock({ clock: {}, realClock });
    await mock.clock.advance(ms);
    const [move] = await mock.control.changes();
    expect(move).toMatchObject({ kind: 'clock.moved', subject: 'advance', amount: ms });
    expect(Date.parse(move!.endedAt!) - Date.parse(move!.at)).toBe(ms);
    expect(await titles(mock)).toEqual([`Clock moved ${ms} ms forward`]);
  });

  it('has both times of its beginning and of its end', async () => {
    const realClock = createManualClock();
    const startMs = realClock.now();
    const mock = await aMock({ realClock });
    await mock.clock.advance(HOUR);
    expect(await mock.control.changes()).toEqual([
      {
        id: 1,
        at: new Date(NEW_YEAR).toISOString(),
        realAt: new Date(startMs).toISOString(),
        kind: 'clock.moved',
        tenantId: null,
        subjectId: null,
        subject: 'advance',
        values: [
          {
            name: 'now',
            before: new Date(NEW_YEAR).toISOString(),
            after: new Date(NEW_YEAR + HOUR).toISOString(),
          },
        ],
        amount: HOUR,
        endedAt: new Date(NEW_YEAR + HOUR).toISOString(),
        realEndedAt: new Date(startMs).toISOString(),
      },
    ]);
  });

  it('is recorded for set and next, and not if time does not move', async () => {
    const mock = await aMock();
    await mock.clock.next();
    await mock.clock.advance(0);
    await mock.create();
    await mock.clock.set(NEW_YEAR + MINUTE);
    await mock.clock.next();
    expect(await titles(mock)).toEqual([
      'Clock moved 60000 ms forward',
      'Clock moved 540000 ms forward, to what was due next',
    ]);
  });

  it('does not mix with another one that begins at the same time', async () => {
    const mock = await aMock({ clock: { now: NEW_YEAR } });
    await mock.create();
    await Promise.all([mock.clock.advance(HOUR), mock.clock.freeze(), mock.clock.advance(MINUTE)]);
    const [short, frozen, long] = await mock.control.changes();
    expect([long, frozen, short].map((change) => titleOf(change!))).toEqual([
      `Clock moved ${HOUR} ms forward`,
      'Clock frozen',
      `Clock moved ${MINUTE} ms forward`,
    ]);
    expect(Date.parse(short!.at)).toBeGreaterThanOrEqual(Date.parse(long!.endedAt!));
  });

  it('of two processes has a record for each', async () => {
    const shared = createSharedMemory();
    const realClock = createManualClock();
    const options = { realClock, pollMs: 0 };
    const one = await aMock({ ...options, log: createSharedMemoryLog(shared) });
    const two = await aMock({ ...options, log: createSharedMemoryLog(shared) });
    await Promise.all([one.clock.advance(HOUR), two.clock.advance(MINUTE)]);
    const changes = await one.control.changes();
    expect(changes.map(({ id, amount }) => [id, amount]).toReversed()).toEqual([
      [1, HOUR],
      [2, MINUTE],
    ]);
    expect(changes.every(({ endedAt }) => endedAt !== null)).toBe(true);
  });

  it('during which the process dies is recorded as not finished', async () => {
    const shared = createSharedMemory();
    const { answer, reached } = aHangingReceiver();
    const dying = await aMock({ log: createSharedMemoryLog(shared), answer });
    await expireOneDuringAMove(dying);
    await reached;
    // What the log has at this moment is what a crash leaves.
    const left = { ...createSharedMemory(), entries: [...shared.entries] };
    const next = await aMock({ log: createSharedMemoryLog(left) });
    expect((await titles(next)).at(-1)).toBe(`Clock move by ${HOUR} ms, not finished`);
  });

  it('during which the service closes is recorded with the time that it has reached', async () => {
    const shared = createSharedMemory();
    const { answer, reached } = aHangingReceiver();
    const closing = await openMock({ log: createSharedMemoryLog(shared), answer });
    await expireOneDuringAMove(closing);
    await reached;
    await closing.service.close();
    const next = await aMock({ log: createSharedMemoryLog(shared) });
    expect((await titles(next)).at(-1)).toBe(`Clock moved ${10 * MINUTE} ms of ${HOUR} ms forward`);
  });

  it('does not mark a change of a state that was loaded meanwhile as its own', async () => {
    const { answer, reached, release } = aHangingReceiver();
    const mock = await aMock({ answer });
    const moving = await expireOneDuringAMove(mock);
    await reached;
    const [{ id: move } = { id: 0 }] = await mock.control.changes();
    await mock.control.reset();
    while ((await mock.control.changes())[0]!.id < move)
      await mock.control.createKeyPair(mock.tenantId);
    release();
    await moving.ended;
    const [newest] = await mock.control.changes();
    expect(newest).toMatchObject({ id: move, kind: 'key.added', endedAt: null });
  });
});

/** A receiver that does not respond to its second webhook until it is released. */
function aHangingReceiver() {
  const [reached, arrive] = aSignal();
  const [released, release] = aSignal();
  return {
    reached,
    release,
    async answer(_url: string, n: number) {
      if (n === 2) {
        arrive();
        await released;
      }
      return answered(204);
    },
  };
}

function aSignal(): [given: Promise<void>, give: () => void] {
  let give = (): void => {};
  const given = new Promise<void>((resolve) => (give = resolve));
  return [given, give];
}

/** Moves the clock by an hour. After ten minutes, a session expires and its webhook is sent. */
async function expireOneDuringAMove({ control, clock, create, tenantId, sent }: Mock) {
  await control.createEndpoint(tenantId, { url: HOOK });
  await create();
  await waitFor(() => expect(sent).toHaveLength(1));
  const ended = clock.advance(HOUR).catch(() => {});
  return { ended };
}

/** Every way to make a change, and the sentences about it. */
const WAYS: Readonly<Record<string, readonly [(mock: Mock) => Promise<unknown>, string[]]>> = {
  freeze: [
    ({ clock }) => clock.resume().then(() => clock.freeze()),
    ['Clock resumed', 'Clock frozen'],
  ],
  'freeze again': [({ clock }) => clock.freeze(), []],
  'add an endpoint': [
    ({ control, tenantId }) => control.createEndpoint(tenantId, { url: HOOK }),
    [`Endpoint added: ${HOOK}`],
  ],
  'change an endpoint': [
    async ({ control, tenantId }) => {
      const { id } = await control.createEndpoint(tenantId, { url: HOOK });
      await control.updateEndpoint(id, { enabled: false });
      await control.updateEndpoint(id, { enabled: false });
      await control.updateEndpoint(id, { enabled: true });
      await control.updateEndpoint(id, { url: `${HOOK}/2` });
      await control.updateEndpoint(id, { enabled: false, events: ['session.timeout'] });
      await control.updateEndpoint(id, { secret: 'a secret of the shop' });
      await control.rotateSecret(id);
      await control.deleteEndpoint(id);
    },
    [
      `Endpoint added: ${HOOK}`,
      `Endpoint disabled: ${HOOK}`,
      `Endpoint enabled: ${HOOK}`,
      `Endpoint moved to ${HOOK}/2`,
      `Endpoint changed: ${HOOK}/2, events ${'session.started, verification.completed, verification.failed, verification.cancelled, session.timeout'} → session.timeout; enabled true → false`,
      `Endpoint changed: ${HOOK}/2, secret`,
      `Signing secret rotated: ${HOOK}/2`,
      `Endpoint deleted: ${HOOK}/2`,
    ],
  ],
  'use a legacy webhook': [
    async ({ control, tenantId }) => {
      await control.putLegacyWebhook(tenantId, { url: HOOK });
      await control.deleteLegacyWebhook(tenantId);
      await control.putLegacyWebhook(tenantId, { url: HOOK });
      await control.migrateLegacyWebhook(tenantId);
    },
    [
      `Legacy webhook added: ${HOOK}`,
      `Legacy webhook deleted: ${HOOK}`,
      `Legacy webhook added: ${HOOK}`,
      `Legacy webhook converted to an endpoint: ${HOOK}`,
    ],
  ],
  'change keys': [
    async ({ control, tenantId }) => {
      const { publishable, secret } = await control.createKeyPair(tenantId);
      await control.setKeyStatus(publishable.id, 'paused');
      await control.setKeyStatus(publishable.id, 'active');
      await control.setKeyStatus(publishable.id, 'active');
      await control.revokeKey(secret.id);
    },
    ['Key pair added', 'Publishable key paused', 'Publishable key resumed', 'Secret key revoked'],
  ],
  'change settings': [
    async ({ control, tenantId }) => {
      await control.updateTenant(tenantId, {
        name: 'Wine',
        policy: { challengeAge: 30 },
        sandboxMode: false,
        allowedDomains: ['shop.example'],
        members: [],
      });
      await control.updateTenant(tenantId, { name: 'Wine' });
    },
    [
      'Settings changed: policy.challengeAge 25 → 30; allowedDomains none → shop.example; sandboxMode true → false; members 1 → 0; name',
    ],
  ],
  'add an account': [({ control }) => control.createTenant({ name: 'Beer' }), ['Account added']],
  'queue outcomes': [
    async ({ control, tenantId }) => {
      await control.queueNextOutcomes(tenantId, ['verified', 'cancelled']);
      await control.clearNextOutcomes(tenantId);
      await control.clearNextOutcomes(tenantId);
    },
    ['2 outcomes queued: verified, cancelled', '2 queued outcomes cleared'],
  ],
  'inject faults': [
    async ({ control }) => {
      await control.addFault({ operation: 'create', fault: '503' });
      const { id } = await control.addFault({ operation: 'webhook', fault: 'hang', count: 3 });
      await control.deleteFault(id);
      const single = await control.addFault({ operation: 'create', fault: 'slow', delayMs: 10 });
      await control.deleteFault(single.id);
      await control.clearFaults();
      await control.clearFaults();
    },
    [
      'Fault 503: the next call to create',
      'Fault hang: the next 3 webhooks',
      'Fault hang removed: it was left for 3 webhooks',
      'Fault slow: the next call to create',
      'Fault slow removed: it was left for 1 call to create',
      '1 fault removed',
    ],
  ],
};

describe('a change', () => {
  it.each(Object.entries(WAYS))('is recorded for each way to %s', async (_way, [act, expected]) => {
    const mock = await aMock();
    await act(mock);
    expect(await titles(mock)).toEqual(expected);
  });

  it('is recorded when an endpoint is paused, resumed and gets its events again', async () => {
    let status = 400;
    const mock = await aMock({ answer: () => answered(status) });
    const { id } = await mock.control.createEndpoint(mock.tenantId, { url: HOOK });
    await mock.control.trigger({ name: 'verified' });
    await mock.clock.advance(2 * HOUR);
    await mock.control.trigger({ name: 'verified' });
    status = 204;
    await mock.control.resumeEndpoint(id);
    await mock.control.redeliver(id);
    const others = (await titles(mock)).filter((title) => !title.startsWith('Clock'));
    expect(others).toEqual([
      `Endpoint added: ${HOOK}`,
      `Webhooks to ${HOOK} paused: rejecting`,
      `Webhooks to ${HOOK} resumed`,
      expect.stringMatching(/^\d events queued again for /),
    ]);
    const changes = await mock.control.changes({ of: 'endpoint' });
    const paused = changes.find(({ kind }) => kind === 'endpoint.paused');
    const [notice] = await mock.control.notices();
    expect(paused?.at).toBe(notice?.createdAt);
  });

  it('is undone together with what it describes', async () => {
    const mock = await aMock();
    const pairId = 'a pair of nobody';
    await expect(
      mock.control.createEndpoint(mock.tenantId, { url: HOOK, pairId }),
    ).rejects.toThrow();
    expect(await titles(mock)).toEqual([]);
  });

  it('is recorded when a restart brings other settings, and not when it brings the same', async () => {
    const file = join(aFolder(), 'mock.sqlite');
    const open = (url: string) =>
      openMock({
        log: openSqliteLog(file),
        tenants: [{ name: 'Shop', endpoints: [{ url, secret: 'whsec_of_the_shop' }] }],
      });
    const first = await open(HOOK);
    expect(await titles(first)).toEqual([]);
    await first.service.close();
    const second = await open(HOOK);
    expect(await titles(second)).toEqual([]);
    await second.service.close();
    const third = await open(`${HOOK}/2`);
    expect(await titles(third)).toEqual([`Endpoint added: ${HOOK}/2`]);
    await third.service.close();
  });

  it('has no secret, no credentials of a URL and no personal data', async () => {
    const mock = await aMock();
    const { control, tenantId } = mock;
    const { id, secret } = await control.createEndpoint(tenantId, {
      url: 'https://shop.example/hooks?token=t0ken',
    });
    await control.updateEndpoint(id, { url: 'https://shop.example/hooks?token=other' });
    await control.updateEndpoint(id, { secret: 'chosen-secret' });
    const rotated = await control.rotateSecret(id);
    const pair = await control.createKeyPair(tenantId);
    await control.revokeKey(pair.secret.id);
    await control.updateTenant(tenantId, {
      name: 'Name of the shop',
      members: [{ email: 'anna@shop.example', role: 'owner' }],
      billingBlock: { code: 'PLAN_LIMIT_REACHED', message: 'Dear Anna' },
    });
    const text = JSON.stringify(await control.changes());
    const hidden = [
      secret!,
      rotated.secret!,
      'chosen-secret',
      't0ken',
      'token=other',
      pair.secret.value,
      'anna@',
      'Dear Anna',
      'Name of the shop',
    ];
    expect(hidden.filter((one) => text.includes(one))).toEqual([]);
    expect(text).toContain('https://shop.example/hooks?…');
  });
});

describe('the list of changes', () => {
  it('is the same after a restart', async () => {
    const file = join(aFolder(), 'mock.sqlite');
    const first = await openMock({ log: openSqliteLog(file) });
    await first.clock.advance(HOUR);
    await first.control.createEndpoint(first.tenantId, { url: HOOK });
    await first.clock.advance(800);
    const before = await first.control.changes();
    await first.service.close();
    const second = await openMock({ log: openSqliteLog(file) });
    expect(before).toHaveLength(3);
    expect(await second.control.changes()).toEqual(before);
    await second.service.close();
  });

  it('keeps 500 moves of the clock and 500 other changes, the newest of each', async () => {
    const mock = await aMock();
    await mock.control.addFault({ operation: 'create', fault: '503' });
    for (let n = 0; n < 501; n += 1) await mock.clock.advance(1);
    const kept = await mock.control.changes({ limit: 1_000 });
    expect(kept).toHaveLength(501);
    expect(kept[0]).toMatchObject({ id: 502 });
    expect(kept.at(-1)).toMatchObject({ id: 1, kind: 'fault.added' });
    for (let n = 0; n < 500; n += 1)
      await mock.control.updateTenant(mock.tenantId, { sandboxMode: n % 2 === 1 });
    const all = await mock.control.changes({ limit: 1_000 });
    const ids = (of: 'clock' | 'account' | 'fault') =>
      all.filter(({ kind }) => kind.startsWith(of)).map(({ id }) => id);
    expect([ids('clock').length, ids('account').length, ids('fault').length]).toEqual([
      500, 500, 0,
    ]);
    expect(ids('clock').at(-1)).toBe(3);
  });

  it('shortens a long value', async () => {
    const mock = await aMock();
    const allowedDomains = Array.from({ length: 100 }, (_, n) => `shop-${n}.example`);
    await mock.control.updateTenant(mock.tenantId, { allowedDomains });
    const [change] = await mock.control.changes();
    expect(String(change?.values[0]?.after)).toHaveLength(501);
  });

  it('has pages, and can be limited to an account and to what was changed', async () => {
    const mock = await aMock();
    const other = await mock.control.createTenant({ name: 'Other' });
    await mock.clock.advance(1_000);
    await mock.control.updateTenant(mock.tenantId, { sandboxMode: false });
    const kinds = (changes: readonly ChangeResource[]) => changes.map(({ kind }) => kind);
    expect(kinds(await mock.control.changes({ limit: 2 }))).toEqual([
      'account.changed',
      'clock.moved',
    ]);
    expect(kinds(await mock.control.changes({ before: 2 }))).toEqual(['account.added']);
    expect(kinds(await mock.control.changes({ of: 'clock' }))).toEqual(['clock.moved']);
    expect(kinds(await mock.control.changes({ tenantId: other.id }))).toEqual([
      'clock.moved',
      'account.added',
    ]);
    expect((await mock.call('GET', '/changes?limit=1')).body).toMatchObject({ next: 3 });
  });

  it('begins again with a reset, and continues after a snapshot', async () => {
    const mock = await aMock();
    await mock.clock.advance(1_000);
    const snapshot = await mock.control.snapshot();
    await mock.clock.advance(2_000);
    await mock.control.loadSnapshot(snapshot);
    expect(await titles(mock)).toEqual(['Clock moved 1000 ms forward', 'Snapshot loaded']);
    await mock.control.reset();
    expect(await titles(mock)).toEqual(['State reset']);
  });

  it('says that a loaded snapshot holds webhooks, and when they are released', async () => {
    const mock = await aMock();
    await mock.control.createEndpoint(mock.tenantId, { url: HOOK });
    const snapshot = await mock.control.snapshot();
    await mock.control.loadSnapshot({ ...snapshot, webhooks: 'held' });
    await mock.control.releaseWebhooks();
    expect(await titles(mock)).toEqual([
      `Endpoint added: ${HOOK}`,
      'Snapshot loaded, webhooks to public addresses are held',
      'Held webhooks released',
    ]);
  });
});

describe('the steps of a shopper', () => {
  it('stay with the session', async () => {
    const mock = await aMock();
    const { sessionId, sessionToken, handoffToken } = await mock.create();
    await mock.hosted('submit', sessionToken, { imageQuality: 'poor' });
    await mock.hosted('retry', sessionToken);
    await mock.clock.advance(1_000);
    await mock.hosted('continue', handoffToken);
    await mock.hosted('continue', handoffToken);
    await mock.hosted('leave', handoffToken);
    const { steps } = await mock.control.session(sessionId);
    const at = new Date(NEW_YEAR).toISOString();
    expect(steps).toEqual([
      { at, kind: 'image_refused', device: 'first' },
      { at, kind: 'retried', device: 'first' },
      { at: new Date(NEW_YEAR + 1_000).toISOString(), kind: 'continued', device: 'second' },
      { at: new Date(NEW_YEAR + 1_000).toISOString(), kind: 'continued', device: 'first' },
    ]);
    expect(await titles(mock)).toEqual(['Clock moved 1000 ms forward']);
  });

  it('are at most 20, the newest', async () => {
    const mock = await aMock();
    const { sessionId, sessionToken, handoffToken } = await mock.create();
    for (let n = 0; n < 15; n += 1) {
      await mock.clock.advance(1);
      await mock.hosted('continue', handoffToken);
      await mock.hosted('continue', sessionToken);
    }
    const { steps } = await mock.control.session(sessionId);
    expect(steps).toHaveLength(20);
    expect(steps[0]?.at).toBe(new Date(NEW_YEAR + 6).toISOString());
  });
});
