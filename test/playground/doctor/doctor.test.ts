import { createMockService, type DoctorEvidence } from 'ofage/mock';
import { describe, expect, it } from 'vitest';
import { readEvidence, toEvidenceLink } from '../../../playground/doctor/evidence.ts';
import { parseRoute, toHash } from '../../../playground/doctor/route.ts';
import { bySeverity, toVerdict } from '../../../playground/doctor/verdict.ts';
import { openLab } from '../labs/a-lab.ts';

describe('the verdict', () => {
  it('says that no mistake was found', async () => {
    const { service, shop } = await openLab();
    const signedIn = await shop('sign-in', { method: 'POST', body: '{}' });
    const { token } = (await signedIn.json()) as { token: string };
    const ask = async (path: string, body: object): Promise<any> =>
      (
        await shop(path, {
          method: 'POST',
          headers: { authorization: `Bearer ${token}` },
          body: JSON.stringify(body),
        })
      ).json();
    const { sessionId } = await ask('checkout', { returnUrl: 'http://localhost/return/' });
    await service.control.settle(sessionId, 'verified');
    expect(await ask('verification', { sessionId })).toMatchObject({ access: true });
    await service.clock.advance(1);
    const well = { kind: 'well', title: 'No problems' };
    expect(toVerdict(await service.control.doctor())).toEqual({
      ...well,
      text: 'Nothing is wrong with 1 session.',
    });
    expect(toVerdict(await service.control.doctor({ labs: true }))).toEqual({
      ...well,
      text: 'Nothing is wrong with 1 session and 2 webhooks.',
    });
  });

  it('counts problems and warnings in its title, and bySeverity() lists the problems first', async () => {
    const service = createMockService({ clock: { frozen: true } });
    const { id: sessionId } = await service.control.trigger({ name: 'verified' });
    await service.control.addObservation({ kind: 'url_status_trusted', sessionId });
    const report = await service.control.doctor();
    expect(toVerdict(report)).toMatchObject({
      kind: 'problems',
      title: '1 problem to fix · 2 warnings',
    });
    expect(bySeverity(report.findings).map(({ severity }) => severity)).toEqual([
      'problem',
      'warning',
    ]);
  });
});

describe('toEvidenceLink', () => {
  it('names each record behind a finding and links to a page that shows it', async () => {
    const { service, demo, ask } = await openLab();
    const { control } = service;
    const { id } = await control.trigger({ name: 'verified', externalUserId: 'anna' });
    await control.addObservation({ kind: 'url_status_trusted', sessionId: id, by: 'return page' });
    await ask('/api/v1/sessions/create', { method: 'POST' });
    await ask('/api/v1/sessions/validate', {
      method: 'POST',
      headers: {
        authorization: `Bearer ${demo.publishableKey}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify({ sessionId: id }),
    });
    await service.clock.advance(20_000);
    const [endpoint] = await control.endpoints(demo.tenantId);
    const [delivery] = await control.deliveries({ sessionId: id });
    const requests = (await control.requests()).toReversed();
    const of = (kind: DoctorEvidence['kind'], at: string | number | undefined): DoctorEvidence => ({
      kind,
      id: String(at),
      at: '',
    });
    const named = [
      of('session', id),
      of('endpoint', endpoint?.id),
      of('delivery', delivery?.id),
      of('observation', 1),
      ...requests.map((request) => of('request', request.id)),
    ];
    const report = await control.doctor();
    const links = await readEvidence(control, {
      ...report,
      findings: [{ ...report.findings[0]!, evidence: named }],
    });
    const session = `dashboard/#sessions/${id}`;
    expect(named.map((one) => toEvidenceLink(one, links))).toEqual([
      { text: `session ${id.slice(0, 8)}… of anna`, path: session },
      { text: endpoint?.url, path: `dashboard/#webhooks/${endpoint?.id}` },
      { text: `session.started to ${endpoint?.url}`, path: session },
      { text: 'url status trusted, reported by return page', path: session },
      {
        text: 'POST /api/v1/sessions/create → 401',
        path: 'inspector/#?text=POST+%2Fapi%2Fv1%2Fsessions%2Fcreate',
      },
      {
        text: 'POST /api/v1/sessions/validate → 401',
        path: 'inspector/#?text=POST+%2Fapi%2Fv1%2Fsessions%2Fvalidate',
      },
    ]);
  });

  it.each([
    { kind: 'session', id: 's/1', path: 'dashboard/#sessions/s%2F1' },
    { kind: 'endpoint', id: 'ep_1', path: 'dashboard/#webhooks/ep_1' },
    { kind: 'request', id: '7', path: null },
  ] as const)('returns the path $path for a $kind that was not read', ({ kind, id, path }) => {
    expect(toEvidenceLink({ kind, id, at: '' }, new Map()).path).toBe(path);
  });
});

describe('the route', () => {
  it.each([
    { sessionId: '', tenantId: '', since: '', labs: false },
    { sessionId: 's/1', tenantId: '', since: '', labs: false },
    { sessionId: 's', tenantId: 'ten_1', since: '2026-01-01T00:00:00.000Z', labs: true },
  ])('is the same after it was written to the fragment and parsed: %o', (route) => {
    expect(parseRoute(toHash(route))).toEqual(route);
  });
});
