import { createMockService } from 'ofage/mock';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { aRun, doALongDay, HOUR_MS, throughFile, type RecordedRun } from './a-run.ts';

let my: RecordedRun;
beforeEach(() => {
  my = aRun();
});
afterEach(() => my.service.close());

describe('service.replay()', () => {
  it('repeats a saved run in another service', async () => {
    const recorder = await my.service.record();
    await doALongDay(my);
    const recording = throughFile(await recorder.stop());
    const other = createMockService();
    const { isSame, differences, events } = await other.replay(recording, { assert: true });
    expect({ isSame, differences }).toEqual({ isSame: true, differences: [] });
    expect(events).toHaveLength(4);
    await other.close();
  });

  it('recreates the accounts, keys, faults, queued outcomes and legacy webhook that the run needs', async () => {
    const { control, clock } = my.service;
    const { tenantId } = await my.service.ready;
    const unused = await control.createTenant({ name: 'Nothing happens here' });
    const wine = await control.createTenant({ name: 'Wine', policy: { verificationMode: 'L2' } });
    const pair = await control.createKeyPair(wine.id);
    const paused = await control.createKeyPair(wine.id);
    await control.setKeyStatus(paused.secret.id, 'paused');
    await control.putLegacyWebhook(wine.id, { url: 'https://legacy.example/' });
    await control.queueNextOutcomes(wine.id, ['failed_age_not_met']);
    await control.addFault({ operation: 'validate', fault: '500', tenantId: wine.id });
    await control.addFault({ operation: 'create', fault: '503', tenantId: unused.id });

    const recorder = await my.service.record();
    const { body } = await my.api('create', pair.secret.value, { returnUrl: 'http://localhost/' });
    await my.api('create', paused.secret.value, { returnUrl: 'http://localhost/' });
    await my.hosted('submit', body.sessionToken, { imageQuality: 'good' });
    await my.api('validate', pair.secret.value, { sessionId: body.sessionId });
    await my.api('validate', pair.secret.value, { sessionId: body.sessionId });
    const added = await control.createTenant({ name: 'Added' });
    const own = await control.createKeyPair(added.id);
    await my.api('create', own.publishable.value, { returnUrl: 'http://localhost/' });
    await clock.advance(600_000);
    const recording = throughFile(await recorder.stop());

    expect(recording.setup.map(({ operation }) => operation)).toEqual([
      'updateTenant',
      'createKeyPair',
      'putLegacyWebhook',
      'queueNextOutcomes',
      'setKeyStatus',
      'addFault',
    ]);
    expect(recording.sessions[0]).toMatchObject({ status: 'failed', reason: 'age_not_met' });
    expect(recording.events[0]?.deliveries).toMatchObject([{ endpoint: null }]);
    expect(JSON.stringify(recording)).not.toContain('Nothing happens here');
    expect((await my.service.replay(recording)).differences).toEqual([]);
    // The replay ran in a separate service, so this one is unchanged.
    expect(await control.events({ tenantId })).toEqual([]);
  });

  it('does not change the service, and returns the state at the end of the replay', async () => {
    const { control, clock } = my.service;
    const recorder = await my.service.record();
    await control.trigger({ name: 'verified', externalUserId: 'anna' });
    await clock.advance(60_000);
    const recording = await recorder.stop();
    await control.reset();
    const before = await control.state();
    const sent = my.sent;
    const { snapshot } = await my.service.replay(recording);
    expect(await control.state()).toEqual(before);
    expect(my.sent).toBe(sent);
    await control.loadSnapshot(snapshot);
    expect(await control.sessions()).toMatchObject([
      { externalUserId: 'anna', status: 'verified' },
    ]);
    expect(await clock.read()).toMatchObject({ now: '2026-01-01T00:01:00.000Z' });
  });

  it('reports the differences, earliest first', async () => {
    const recorder = await my.service.record({ name: 'Changed' });
    await doALongDay(my);
    const recording = await recorder.stop();
    const text = JSON.stringify(recording);

    const other = JSON.parse(text.replace('verified_after_id', 'failed_document_rejected'));
    const { isSame, differences, events } = await my.service.replay(other);
    expect(isSame).toBe(false);
    expect(differences).toEqual([
      '$session1 verification.completed: did not happen again',
      '$session1 verification.failed: was not recorded',
      '$session1: is failed (document_rejected) after 1 retry and validated instead of verified after 1 retry and validated',
    ]);
    expect(events.filter((event) => event.differences.length > 0)).toHaveLength(2);
    await expect(my.service.replay(other, { assert: true })).rejects.toThrow(
      'The replay of "Changed" differs from the recording: $session1 verification.completed: did not happen again (and 2 more)',
    );

    const steps = recording.steps.filter(({ operation }) => operation !== 'hosted.submit');
    expect((await my.service.replay({ ...recording, steps })).differences[0]).toBe(
      'Step 5, hosted.retry: responded with 409 instead of 200',
    );
    const without = recording.steps.filter(({ creates }) => creates?.[0] !== '$session1');
    expect((await my.service.replay({ ...recording, steps: without })).differences[0]).toBe(
      'Step 3, hosted.session: needs $session1, which was not created',
    );
    const settled = { atMs: 0, operation: 'settle', args: ['nobody', 'verified'] };
    expect(
      (await my.service.replay({ ...recording, steps: [settled, ...recording.steps] }))
        .differences[0],
    ).toBe('Step 1, settle: refused: Session not found');
  });

  it.each([
    ['an event comes later', ({ events }: any) => (events[1].atMs = 0), '30000 ms later'],
    [
      'a delivery ends with a different status',
      ({ events }: any) => (events[1].deliveries[0].status = 'undelivered'),
      'delivery to $endpoint1 is delivered instead of undelivered',
    ],
    [
      'a delivery goes to a different endpoint',
      ({ events }: any) => (events[1].deliveries[0].endpoint = '$endpoint7'),
      'delivery to $endpoint7 did not happen again',
    ],
    [
      'events with the same time swap places',
      ({ events }: any) => {
        events[1].atMs = events[2].atMs;
        events.splice(1, 2, events[2], events[1]);
      },
      'happened in a different order than recorded',
    ],
    [
      'a reason differs',
      ({ events }: any) => (events[1].reason = 'x'),
      'the reason is null instead of x',
    ],
  ])('reports that %s', async (_difference, change, sentence) => {
    const recorder = await my.service.record();
    await doALongDay(my);
    const recording = throughFile(await recorder.stop());
    change(recording);
    expect((await my.service.replay(recording)).differences[0]).toContain(sentence);
  });

  it('does not wait for slow faults and receivers that time out', async () => {
    const { control, clock } = my.service;
    await control.addFault({ operation: 'validate', fault: 'slow', delayMs: 0 });
    await control.addFault({ operation: 'webhook', fault: 'hang' });
    await control.addFault({ operation: 'webhook', fault: 'duplicate' });
    const recorder = await my.service.record();
    my.respondWith('timeout');
    const { id: sessionId } = await control.trigger({ name: 'verified' });
    await clock.advance(60_000);
    my.respondWith(200);
    await clock.advance(HOUR_MS);
    await my.api('validate', (await my.service.ready).secretKey, { sessionId });
    const recording = throughFile(await recorder.stop());
    const [, , validate, webhook] = recording.setup as any;
    // Delays that this test cannot wait for: ten minutes for validate, and 20 s for the webhook, which is
    // more than the attempt timeout.
    Object.assign(validate.args[0], { delayMs: 600_000 });
    Object.assign(webhook.args[0], { fault: 'slow', delayMs: 20_000 });
    expect((await my.service.replay(recording)).differences).toEqual([]);
  });

  it('does not repeat the timeout of a slow webhook in the next attempt', async () => {
    const { control, clock } = my.service;
    const { tenantId } = await my.service.ready;
    const [endpoint] = await control.endpoints(tenantId);
    await control.updateEndpoint(endpoint!.id, { events: ['verification.cancelled'] });
    await control.addFault({ operation: 'webhook', fault: 'hang' });
    const recorder = await my.service.record();
    await control.trigger({ name: 'cancelled' });
    await clock.advance(8_000);
    const recording = throughFile(await recorder.stop());
    // The same run with a webhook that was slower than the attempt timeout, which this test cannot wait for.
    const fault = (recording.setup as any).at(-1);
    Object.assign(fault.args[0], { fault: 'slow', delayMs: 20_000 });
    (recording.events as any)
      .at(-1)
      .deliveries[0].answers.unshift({ status: null, error: 'timeout' });
    expect((await my.service.replay(recording)).differences).toEqual([]);
  });
});
