import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { aRun, doALongDay, HOOKS, HOUR_MS, type RecordedRun } from './a-run.ts';

let my: RecordedRun;
beforeEach(() => {
  my = aRun();
});
afterEach(() => my.service.close());

describe('service.record()', () => {
  it('records each operation that changes something, with its time and created resources', async () => {
    const recorder = await my.service.record({ name: 'A long day' });
    await doALongDay(my);
    const recording = await recorder.stop();
    expect(recording).toMatchObject({
      format: 'ofage-recording',
      version: 1,
      name: 'A long day',
      startedAt: '2026-01-01T00:00:00.000Z',
    });
    expect(recording.steps.map(({ operation, atMs, status }) => [operation, atMs, status])).toEqual(
      [
        ['addFault', 0, undefined],
        ['api.create', 0, 503],
        ['api.create', 0, 201],
        ['hosted.session', 30_000, 200],
        ['hosted.submit', 30_000, 200],
        ['hosted.retry', 30_000, 200],
        ['hosted.outcome', 30_000, 200],
        ['api.validate', 30_000, 200],
        ['api.validate', 30_000, 400],
        ['trigger', 30_000, undefined],
        ['resumeEndpoint', 30_000 + 26 * HOUR_MS, undefined],
        ['redeliver', 35_000 + 26 * HOUR_MS, undefined],
      ],
    );
    expect(recording.steps[2]).toMatchObject({ by: '$key2', creates: ['$session1'] });
    expect(recording.steps[7]).toMatchObject({ body: { sessionId: '$session1' } });
    expect(recording.sessions).toEqual([
      { session: '$session1', status: 'verified', reason: null, validated: true, retries: 1 },
      { session: '$session2', status: 'expired', reason: null, validated: false, retries: 0 },
    ]);
    expect(
      recording.events.map(({ session, event, deliveries }) => [
        session,
        event,
        deliveries[0]?.status,
      ]),
    ).toEqual([
      ['$session1', 'session.started', 'delivered'],
      ['$session1', 'verification.completed', 'delivered'],
      ['$session2', 'session.started', 'delivered'],
      ['$session2', 'session.timeout', 'delivered'],
    ]);
  });

  it('discards a recording that is stopped after more than 10,000 operations', async () => {
    const { control, ready } = my.service;
    const { tenantId } = await ready;
    const recorder = await my.service.record();
    for (let n = 0; n <= 10_000; n += 1) await control.clearNextOutcomes(tenantId);
    await expect(recorder.stop()).rejects.toThrow('more than 10000 operations');
    const next = await my.service.record();
    expect((await next.stop()).steps).toEqual([]);
  });

  it('records no secret, key, id or endpoint URL of the service', async () => {
    const { control, ready } = my.service;
    const { tenantId, secretKey, publishableKey, webhookSecret } = await ready;
    const recorder = await my.service.record();
    await doALongDay(my);
    const own = { url: 'https://own.example/path', secret: 'not-prefixed' };
    const endpoint = await control.createEndpoint(tenantId, own);
    const rotated = await control.rotateSecret(endpoint.id);
    const pair = await control.createKeyPair(tenantId);
    await my.create({ externalUserId: secretKey, returnUrl: `http://localhost/?key=${secretKey}` });
    const ids = (await control.sessions()).map(({ id }) => id);
    const text = JSON.stringify(await recorder.stop());
    const private_ = [
      secretKey,
      publishableKey,
      webhookSecret,
      HOOKS,
      'private-path',
      'own.example',
      'not-prefixed',
      rotated.secret,
      pair.secret.value,
      pair.publishable.value,
      tenantId,
      endpoint.id,
      ...ids,
    ];
    for (const value of private_) expect(text).not.toContain(value);
    expect(text).not.toMatch(/\b(sk|whsec|st1|ht1)_[^…]/);
  });

  it('omits reads, and operations on sessions that existed before the start', async () => {
    const { control, ready } = my.service;
    const { secretKey } = await ready;
    const { sessionId, sessionToken } = await my.create();
    const recorder = await my.service.record();
    await my.hosted('cancel', sessionToken);
    await my.api('validate', secretKey, { sessionId });
    await my.api('validate', 'sk_nobody_has_this_key', { sessionId });
    await control.sessions();
    await control.explainWebhook({ body: '{}', signature: 'sha256=0' });
    await control.addObservation({ kind: 'access_granted', sessionId });
    await my.service.clock.advance(1_000);
    expect(await recorder.stop()).toMatchObject({
      durationMs: 1_000,
      setup: [{ operation: 'updateTenant' }, { operation: 'createEndpoint' }],
      steps: [],
      events: [],
    });
  });

  it('rejects a second recording at the same time, and its recording ends when the state is reset or a snapshot is loaded', async () => {
    const { control } = my.service;
    await expect(control.stopRecording()).rejects.toThrow('Nothing is being recorded');
    const recorder = await my.service.record({ name: 'First' });
    expect(await control.recording()).toEqual({
      isRecording: true,
      name: 'First',
      startedAt: '2026-01-01T00:00:00.000Z',
      steps: 0,
    });
    await expect(my.service.record()).rejects.toThrow('A recording is already running');
    const snapshot = await control.snapshot();
    expect(Object.keys(snapshot.tables)).not.toContain('recordings');
    await control.reset();
    await expect(recorder.stop()).rejects.toThrow('A reset or a loaded snapshot ends a recording');
    await my.service.record();
    await control.loadSnapshot(snapshot);
    expect(await control.recording()).toMatchObject({ isRecording: false, steps: 0 });
  });
});
