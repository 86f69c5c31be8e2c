import { createMockService, type RequestResource } from 'ofage-mock';
import { describe, expect, it } from 'vitest';
import { toAttention } from '../../../playground/console/attention.ts';
import { toEvidencePage } from '../../../playground/console/doctor-evidence.ts';
import { bySeverity, toVerdict } from '../../../playground/console/doctor-verdict.ts';
import { filterEntries } from '../../../playground/console/timeline/entry.ts';
import { toReportEntry, toRequestEntry } from '../../../playground/console/timeline/to-entries.ts';
import { aMock } from '../../support/a-mock.ts';
import { aReport, sendReports } from '../../support/reports.ts';

describe('the verdict', () => {
  it('counts problems and warnings in its title, and bySeverity() lists the problems first', async () => {
    const service = createMockService({ clock: { frozen: true } });
    const { id: sessionId } = await service.control.trigger({ name: 'verified' });
    await service.control.addObservation({ kind: 'url_status_trusted', sessionId });
    const report = await service.control.doctor();
    expect(toVerdict(report)).toMatchObject({
      kind: 'problems',
      title: '1 problem to fix · 1 warning',
    });
    expect(bySeverity(report.findings).map(({ severity }) => severity)).toEqual([
      'problem',
      'warning',
    ]);
  });
});

it('nothing is green on the doctor and the overview while something has not been tried', async () => {
  const my = await aMock();
  await my.create();
  const report = await my.control.doctor();
  expect(report.untried.length).toBeGreaterThan(0);
  expect(toVerdict({ ...report, findings: [] })).toMatchObject({
    kind: 'untried',
    title: `${report.untried.length} not tried yet`,
  });
  expect(toVerdict({ ...report, findings: [], untried: [] }).kind).toBe('well');
  const account = {
    tenant: await my.control.tenant(my.tenantId),
    pairs: await my.control.keyPairs(my.tenantId),
    endpoints: await my.control.endpoints(my.tenantId),
    legacy: null,
    faults: [],
    nextOutcomes: [],
    findings: [],
  };
  const toBadges = (untried: typeof report.untried, hasSteps = false): string[] =>
    toAttention({ ...account, untried, hasSteps }).map(({ badge }) => badge);
  expect(toBadges(report.untried)).toEqual(['no webhook', 'not tried']);
  expect(toBadges([])).toEqual(['no webhook']);
  // The first steps say both.
  expect(toBadges(report.untried, true)).toEqual([]);
});

describe('a piece of evidence', () => {
  it.each([
    { kind: 'session', id: 's/1', sessionId: 's/1', to: { page: 'sessions', id: 's/1' } },
    { kind: 'delivery', id: 'd_1', sessionId: 's/1', to: { page: 'sessions', id: 's/1' } },
    { kind: 'observation', id: '7', sessionId: 's/1', to: { page: 'sessions', id: 's/1' } },
    { kind: 'endpoint', id: 'ep_1', sessionId: null, to: { page: 'webhooks', id: 'ep_1' } },
  ] as const)('of the kind $kind leads to $to.page', ({ to, ...evidence }) => {
    expect(toEvidencePage({ at: '', text: '', ...evidence })).toEqual(to);
  });

  it('about a request leads to its entry in the timeline, also if the request was refused', async () => {
    const my = await aMock();
    const { sessionId: one } = await my.create();
    const { sessionId: other } = await my.create();
    const sent = [one, other].flatMap((sessionId) =>
      [my.publishableKey, 'sk_test_wrong'].map((key) =>
        my.request('/api/v1/sessions/validate', { key, body: { sessionId } }),
      ),
    );
    await Promise.all(sent);
    await my.request('/api/v1/nothing', { key: my.secretKey, body: {} });
    const { findings } = await my.control.doctor();
    const evidence = findings
      .flatMap((one) => one.evidence)
      .filter((one) => one.kind === 'request');
    const entries = (await my.control.requests()).map(toRequestEntry);
    expect(evidence).toHaveLength(5);
    for (const one of evidence) {
      const { page, query } = toEvidencePage(one);
      expect(page).toBe('timeline');
      const found = filterEntries(entries, { kinds: [], sessionId: null, text: query!['text']! });
      expect(found.map(({ detail }) => (detail as RequestResource).id)).toContain(Number(one.id));
      expect(found.filter(({ title }) => title !== one.text)).toEqual([]);
    }
  });

  it('about a report leads to its entry in the timeline, if there is no session', async () => {
    const my = await aMock();
    const facts = { mode: 'new-tab', isInClick: false, isPageUsed: true };
    const reports = [aReport('verify.called', { facts }), aReport('page.shown')];
    await sendReports(my, { key: my.publishableKey, reports });
    const { findings } = await my.control.doctor();
    const [evidence] = findings.flatMap((one) => one.evidence);
    const { query } = toEvidencePage(evidence!);
    const entries = (await my.control.reports()).map(toReportEntry);
    const found = filterEntries(entries, { kinds: [], sessionId: null, text: query!['text']! });
    expect(found.map(({ title }) => title)).toEqual(['verify() called outside of a click']);
  });
});
