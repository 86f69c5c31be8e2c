import { createMockService } from 'ofage-mock';
import { describe, expect, it } from 'vitest';
import { toEvidence } from '../../../playground/console/doctor-evidence.ts';
import { bySeverity, toVerdict } from '../../../playground/console/doctor-verdict.ts';

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

describe('toEvidence', () => {
  it.each([
    { kind: 'session', id: 's/1', to: { page: 'sessions', id: 's/1' } },
    { kind: 'endpoint', id: 'ep_1', to: { page: 'webhooks', id: 'ep_1' } },
    { kind: 'request', id: '7', to: null },
  ] as const)('links a $kind that was not read to $to', ({ kind, id, to }) => {
    expect(toEvidence({ kind, id, at: '' }, new Map()).to).toEqual(to);
  });
});
