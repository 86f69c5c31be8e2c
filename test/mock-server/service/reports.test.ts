import { describe, expect, it } from 'vitest';
import { aMock, HOOK, NEW_YEAR } from '../../support/a-mock.ts';
import { createManualClock } from '../../support/manual-clock.ts';
import { aReport, PAGE_URL, sendReports, sendText } from '../../support/reports.ts';

const ATTEMPT = 'attempt-1';
const LOCAL = 'http://localhost:3000';

/** Creates a mock with another account beside the first one. */
async function twoAccounts(realClock = createManualClock()) {
  const mock = await aMock({ realClock });
  const { id } = await mock.control.createTenant({ name: 'Other' });
  const { publishable } = await mock.control.createKeyPair(id);
  return { mock, other: { tenantId: id, publishableKey: publishable.value } };
}

describe('a report', () => {
  it('has both times, the page without its query, and the facts', async () => {
    const realClock = createManualClock();
    const startMs = realClock.now();
    const mock = await aMock({ realClock, clock: { now: NEW_YEAR } });
    const answer = await sendReports(mock, {
      key: mock.publishableKey,
      pageUrl: `${PAGE_URL}?token=1#part`,
      reports: [
        aReport('verify.called', {
          seq: 3,
          ageMs: 2_000,
          attemptId: ATTEMPT,
          facts: { isInClick: true, skipIntro: false, language: 'de' },
        }),
      ],
    });
    expect([answer.status, await answer.text()]).toEqual([204, '']);
    expect(await mock.control.reports()).toEqual([
      {
        id: 1,
        at: new Date(NEW_YEAR - 2_000).toISOString(),
        realAt: new Date(startMs - 2_000).toISOString(),
        kind: 'verify.called',
        tenantId: mock.tenantId,
        sessionId: null,
        attemptId: ATTEMPT,
        pageId: 'page-1',
        seq: 3,
        pageUrl: PAGE_URL,
        facts: { isInClick: true, skipIntro: false, language: 'de' },
      },
    ]);
  });

  it.each([
    ['of this computer has travelled for a second', PAGE_URL, -1_000, -3_000],
    ['of this computer has seemingly travelled for a minute', PAGE_URL, -60_000, -2_000],
    ['of this computer seems to be of the future', PAGE_URL, 1, -2_000],
    ['of another computer has another clock', 'https://shop.example/', -1_000, -2_000],
  ])('that %s has the right time', async (_name, pageUrl, sentMs, expectedMs) => {
    const realClock = createManualClock();
    const startMs = realClock.now();
    const mock = await aMock({ realClock });
    await mock.control.updateTenant(mock.tenantId, { allowedDomains: ['shop.example'] });
    const answer = await sendReports(mock, {
      key: mock.publishableKey,
      pageUrl,
      sentAtMs: startMs + sentMs,
      reports: [aReport('verify.called', { ageMs: 2_000 })],
    });
    expect(answer.status).toBe(204);
    expect(await mock.control.reports()).toMatchObject([
      { realAt: new Date(startMs + expectedMs).toISOString() },
    ]);
  });

  it('gets the session of its attempt, whichever of them names it', async () => {
    const mock = await aMock();
    const { sessionId } = await mock.create();
    const send = (more: object) =>
      sendReports(mock, {
        key: mock.publishableKey,
        reports: [aReport('page.shown'), aReport('verify.called', { attemptId: ATTEMPT, ...more })],
      });
    for (const more of [{}, { sessionId }, {}]) await send(more);
    const reports = await mock.control.reports({ attemptId: ATTEMPT });
    expect(reports.map((report) => report.sessionId)).toEqual([sessionId, sessionId, sessionId]);
    expect(await mock.control.reports({ sessionId })).toHaveLength(3);
    expect(await mock.control.reports()).toHaveLength(6);
  });

  it('is not counted, not faulted and not in the log of requests', async () => {
    const mock = await aMock();
    await mock.control.addFault({ operation: 'create', fault: '500' });
    await mock.control.addFault({ operation: 'hosted', fault: '500' });
    const answer = await sendReports(mock, {
      key: mock.publishableKey,
      reports: [aReport('page.shown')],
    });
    expect(answer.status).toBe(204);
    expect([...answer.headers.keys()].filter((name) => name.includes('ratelimit'))).toEqual([]);
    expect(await mock.control.requests()).toEqual([]);
    expect(await mock.control.faults()).toHaveLength(2);
  });

  it('is deleted with its session, and by a reset', async () => {
    const mock = await aMock();
    const { sessionId } = await mock.create();
    const reports = [
      aReport('page.shown'),
      aReport('verify.called', { attemptId: ATTEMPT }),
      aReport('verify.resolved', { attemptId: ATTEMPT, sessionId }),
    ];
    await sendReports(mock, { key: mock.publishableKey, reports });
    await mock.clock.advance(8 * 86_400_000);
    expect((await mock.control.reports()).map(({ kind }) => kind)).toEqual(['page.shown']);
    await mock.control.reset();
    expect(await mock.control.reports()).toEqual([]);
  });

  it('is in a snapshot', async () => {
    const mock = await aMock();
    const facts = { status: 'verified', hasEffect: true };
    await sendReports(mock, {
      key: mock.publishableKey,
      reports: [aReport('message.received', { facts })],
    });
    const [before] = await mock.control.reports();
    const snapshot = await mock.control.snapshot();
    await mock.control.reset();
    await mock.control.loadSnapshot(snapshot);
    expect(await mock.control.reports()).toEqual([before]);
  });
});

describe('a page without a key', () => {
  it.each([
    ['the return page', 'http://localhost:3000/return'],
    ['the cancel page', 'http://127.0.0.1:5000/cancelled'],
  ])('reports as %s of the session', async (_name, pageUrl) => {
    const mock = await aMock();
    const { sessionId } = await mock.create({
      returnUrl: 'http://localhost:3000/return',
      cancelUrl: 'http://127.0.0.1:5000/cancelled',
    });
    const facts = { status: 'verified' };
    const reports = [aReport('return.read', { sessionId, facts })];
    expect((await sendReports(mock, { sessionId, pageUrl, reports })).status).toBe(204);
    expect(await mock.control.reports({ sessionId })).toMatchObject([
      { kind: 'return.read', tenantId: mock.tenantId, pageUrl },
    ]);
  });

  it('joins no other session of the account', async () => {
    const mock = await aMock();
    const returnUrl = `${LOCAL}/return`;
    const [one, two] = [await mock.create({ returnUrl }), await mock.create({ returnUrl })];
    const reports = [aReport('return.read', { sessionId: two.sessionId })];
    await sendReports(mock, { sessionId: one.sessionId, reports });
    expect(await mock.control.reports()).toMatchObject([{ sessionId: null }]);
  });
});

describe('a hostile report', () => {
  it.each<[why: string, status: number, batch: object, origin?: string | null]>([
    ['an origin that the account does not allow', 403, { pageUrl: 'https://evil.example/' }],
    ['the origin of another page', 403, {}, 'https://evil.example'],
    ['an opaque origin', 403, {}, 'null'],
    ['a page that is not on the web', 400, { pageUrl: 'file:///etc/passwd' }, null],
    ['no key', 400, { key: undefined }],
    ['an unknown property', 400, { admin: true }],
    ['no reports', 400, { reports: [] }],
    ['too many reports', 400, { reports: Array.from({ length: 101 }, () => aReport('page.left')) }],
    ['an unknown kind', 400, { reports: [{ ...aReport('page.left'), kind: 'shell.run' }] }],
    ['an unknown fact', 400, { reports: [aReport('page.left', { facts: { token: 'x' } })] }],
    ['a fact of another type', 400, { reports: [aReport('page.left', { facts: { status: {} } })] }],
    ['an age below zero', 400, { reports: [aReport('page.left', { ageMs: -1 })] }],
    ['an age of a year', 400, { reports: [aReport('page.left', { ageMs: 3e10 })] }],
    ['an id with markup', 400, { reports: [aReport('page.left', { attemptId: '<b>' })] }],
    ['a key with a line break', 400, { key: 'pk_1\r\nx: y' }],
  ])('with %s is refused', async (_why, status, batch, origin) => {
    const mock = await aMock();
    const whole = { key: mock.publishableKey, reports: [aReport('page.shown')], ...batch };
    const answer = await sendReports(mock, whole, { ...(origin !== undefined && { origin }) });
    expect(answer.status).toBe(status);
    expect(await answer.json()).toHaveProperty('message');
    expect(await mock.control.reports()).toEqual([]);
  });

  it.each([
    ['1 MB', 413, JSON.stringify({ pageId: 'x'.repeat(1_000_000) }), undefined],
    ['no JSON', 400, '<script>', undefined],
    ['another type', 415, '{}', 'application/json'],
    ['deep nesting', 400, `${'['.repeat(60_000)}`, undefined],
  ])('of %s is refused', async (_why, status, text, type) => {
    const mock = await aMock();
    const answer = await sendText(mock.service, text, { origin: LOCAL, ...(type && { type }) });
    expect(answer.status).toBe(status);
  });

  it('reaches no session of another account', async () => {
    const { mock, other } = await twoAccounts();
    const { sessionId } = await mock.create();
    await sendReports(mock, {
      key: other.publishableKey,
      reports: [aReport('verify.resolved', { sessionId, attemptId: ATTEMPT })],
    });
    expect(await mock.control.reports({ sessionId })).toEqual([]);
    expect(await mock.control.reports({ tenantId: other.tenantId })).toMatchObject([
      { sessionId: null, tenantId: other.tenantId },
    ]);
  });

  it('joins no attempt of another account', async () => {
    const { mock, other } = await twoAccounts();
    const { sessionId } = await mock.create();
    const own = [aReport('verify.called', { attemptId: ATTEMPT })];
    await sendReports(mock, { key: other.publishableKey, reports: own });
    const named = [aReport('verify.called', { attemptId: ATTEMPT, sessionId })];
    await sendReports(mock, { key: mock.publishableKey, reports: named });
    expect(await mock.control.reports({ sessionId })).toHaveLength(1);
  });

  it('with the key of another account is refused on a page that this account does not allow', async () => {
    const { mock, other } = await twoAccounts();
    await mock.control.updateTenant(mock.tenantId, { allowedDomains: ['shop.example'] });
    const pageUrl = 'https://shop.example/';
    const send = (key: string) =>
      sendReports(mock, { key, pageUrl, reports: [aReport('page.shown')] });
    expect((await send(mock.publishableKey)).status).toBe(204);
    expect((await send(other.publishableKey)).status).toBe(403);
  });

  it('with a session is refused on an origin for which it was not created', async () => {
    const mock = await aMock();
    const { sessionId } = await mock.create({ returnUrl: 'http://localhost:3000/return' });
    const send = (pageUrl: string, id = sessionId) =>
      sendReports(mock, { sessionId: id, pageUrl, reports: [aReport('page.shown')] });
    expect((await send('http://localhost:3001/')).status).toBe(403);
    expect((await send(PAGE_URL, '11111111-1111-4111-8111-111111111111')).status).toBe(404);
    expect(await mock.control.reports()).toEqual([]);
  });

  it('with an unknown key is kept for a page of this computer only, without an account', async () => {
    const mock = await aMock();
    const send = (pageUrl: string) =>
      sendReports(mock, { key: 'pk_wrong', pageUrl, reports: [aReport('page.shown')] });
    expect((await send('https://shop.example/')).status).toBe(403);
    expect((await send(PAGE_URL)).status).toBe(204);
    expect(await mock.control.reports({ tenantId: mock.tenantId })).toMatchObject([
      { tenantId: null },
    ]);
  });

  it('has markup and control characters only as harmless text', async () => {
    const mock = await aMock();
    const nasty = '<img src=x onerror=alert(1)>\u0000\u001b[2J\u202e\r\n\ud800';
    const texts = ['version', 'status', 'message', 'name', 'returned', 'type', 'from', 'sessionId'];
    const facts = Object.fromEntries(texts.map((name) => [name, nasty]));
    await sendReports(mock, {
      key: mock.publishableKey,
      pageUrl: `${LOCAL}/${encodeURIComponent(nasty.slice(0, 30))}`,
      reports: [aReport('message.received', { facts })],
    });
    const [report] = await mock.control.reports();
    const stored = [report!.pageUrl, ...Object.values(report!.facts)];
    expect(stored).toHaveLength(texts.length + 1);
    // oxlint-disable-next-line no-control-regex -- the pattern matches control characters
    for (const text of stored) expect(text).not.toMatch(/[\u0000-\u001f\u202e\ud800]/);
    expect(Object.values(report!.facts).join('')).toContain(String.raw`\u001b[2J\u202e`);
  });

  it('has no key, secret, token, query or whole user', async () => {
    const mock = await aMock();
    const { sessionToken, handoffToken } = await mock.create();
    await mock.control.createEndpoint(mock.tenantId, { url: HOOK });
    const secrets = [mock.secretKey, mock.publishableKey, sessionToken, handoffToken];
    const facts = {
      message: `keys ${secrets.join(' ')} ${encodeURIComponent(sessionToken)}`,
      returnUrl: 'https://me:pass@shop.example/return?cart=private#private',
      cancelUrl: '/back?cart=private',
      from: 'https://verify.example/?private',
      externalUserId: 'private-person@shop.example',
    };
    await sendReports(mock, {
      key: mock.publishableKey,
      pageUrl: `http://localhost:3000/${sessionToken}?private`,
      reports: [aReport('warning.written', { facts })],
    });
    const [report] = await mock.control.reports();
    const stored = JSON.stringify(report);
    for (const secret of [...secrets, 'private-person', 'cart', 'pass', '?private'])
      expect(stored).not.toContain(secret);
    expect(report!.facts).toMatchObject({
      returnUrl: 'https://shop.example/return',
      cancelUrl: '/back',
      externalUserId: 'priv…',
    });
  });

  it.each([
    ['user', 'user'],
    ['user1', 'user…'],
    ['user…', 'user…'],
    ['user12', 'user…'],
  ])('of the user %s has at most four characters: %s', async (externalUserId, kept) => {
    const mock = await aMock();
    await sendReports(mock, {
      key: mock.publishableKey,
      reports: [aReport('verify.called', { facts: { externalUserId } })],
    });
    expect((await mock.control.reports())[0]!.facts.externalUserId).toBe(kept);
  });

  it('of any length is cut', async () => {
    const mock = await aMock();
    const facts = { message: 'm'.repeat(30_000) };
    await sendReports(mock, {
      key: mock.publishableKey,
      reports: [aReport('warning.written', { facts })],
    });
    expect((await mock.control.reports())[0]!.facts.message).toHaveLength(500);
  });
});

describe('a flood of reports', () => {
  it('of 10,000 in a minute is cut at 600 for each account, and the next minute is free', async () => {
    const realClock = createManualClock();
    const { mock, other } = await twoAccounts(realClock);
    const reports = Array.from({ length: 100 }, () => aReport('page.hidden'));
    const send = async (key: string) => (await sendReports(mock, { key, reports })).status;
    const statuses: number[] = [];
    for (let n = 0; n < 100; n += 1) statuses.push(await send(mock.publishableKey));
    expect(statuses.filter((status) => status === 204)).toHaveLength(6);
    expect(statuses.filter((status) => status === 429)).toHaveLength(94);
    expect(await send(other.publishableKey)).toBe(204);
    await realClock.pass(60_000);
    expect(await send(mock.publishableKey)).toBe(204);
    expect(await mock.control.requests({ limit: 10 })).toEqual([]);
  });

  it.each<[what: string, kept: number, isSession: boolean, hasKey: boolean]>([
    ['an account', 1_000, false, true],
    ['a session', 200, true, true],
    ['no account', 100, false, false],
  ])('of %s keeps only the newest %i', async (_what, kept, isSession, hasKey) => {
    const realClock = createManualClock();
    const mock = await aMock({ realClock });
    const { sessionId } = await mock.create();
    const key = hasKey ? mock.publishableKey : 'pk_wrong';
    for (let n = 0; n < 12; n += 1) {
      const reports = Array.from({ length: 100 }, (_, at) =>
        aReport('page.hidden', { seq: n * 100 + at, ...(isSession && { sessionId }) }),
      );
      await sendReports(mock, { key, reports });
      await realClock.pass(60_000);
    }
    const left = await mock.control.reports({ limit: 2_000 });
    expect(left).toHaveLength(kept);
    expect([left[0]!.seq, left.at(-1)!.seq]).toEqual([1_199, 1_200 - kept]);
  });
});
