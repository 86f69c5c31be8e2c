import { createMockService } from 'ofage/mock';
import { describe, expect, it } from 'vitest';
import { toEvidenceLink } from '../../../playground/doctor/evidence.ts';
import { parseRoute, toHash } from '../../../playground/doctor/route.ts';
import { bySeverity, toVerdict } from '../../../playground/doctor/verdict.ts';

describe('the verdict', () => {
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
