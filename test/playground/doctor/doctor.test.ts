import { createMockService } from 'ofage/mock';
import { describe, expect, it } from 'vitest';
import { readSessionsBehind, toEvidenceLink } from '../../../playground/doctor/evidence.ts';
import { bySeverity, toVerdict } from '../../../playground/doctor/verdict.ts';
import { openLab } from '../labs/a-lab.ts';

describe('the verdict', () => {
  it('says that there is no activity yet', async () => {
    const report = await createMockService().control.doctor();
    expect(toVerdict(report)).toMatchObject({ kind: 'nothing' });
  });

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
    expect(toVerdict(await service.control.doctor())).toEqual({
      kind: 'well',
      title: 'All clear',
      text: 'Nothing is wrong with 1 session and 2 webhooks.',
    });
  });

  it('counts problems in the title and lists them first', async () => {
    const service = createMockService({ clock: { frozen: true } });
    const { id: sessionId } = await service.control.trigger({ name: 'verified' });
    await service.control.addObservation({ kind: 'url_status_trusted', sessionId });
    const report = await service.control.doctor();
    expect(toVerdict(report)).toMatchObject({ kind: 'problems', title: '1 problem to mend' });
    expect(bySeverity(report.findings).map(({ name }) => name)).toEqual(['Problems', 'To look at']);
  });
});

describe('toEvidenceLink', () => {
  it('links an observation to its session', async () => {
    const service = createMockService({ clock: { frozen: true } });
    const { id: sessionId } = await service.control.trigger({ name: 'verified' });
    await service.control.addObservation({ kind: 'url_status_trusted', sessionId });
    const report = await service.control.doctor();
    const behind = await readSessionsBehind(service.control, report);
    const [evidence] = report.findings.find(({ code }) => code === 'url_status_trusted')!.evidence;
    expect(toEvidenceLink(evidence!, behind)).toMatchObject({
      text: 'observation 1',
      path: `dashboard/#sessions/${sessionId}`,
    });
  });

  it.each([
    { kind: 'session', id: 's/1', path: 'dashboard/#sessions/s%2F1' },
    { kind: 'endpoint', id: 'ep_1', path: 'dashboard/#webhooks/ep_1' },
    { kind: 'request', id: '7', path: null },
  ] as const)('links a $kind to $path', ({ kind, id, path }) => {
    expect(toEvidenceLink({ kind, id, at: '' }, new Map()).path).toBe(path);
  });
});
