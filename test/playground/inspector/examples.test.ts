import { fileURLToPath } from 'node:url';
import * as prettier from 'prettier';
import { createMockService, type Recording } from 'ofage/mock';
import { describe, expect, it } from 'vitest';
import { EXAMPLES } from '../../../playground/inspector/examples/index.ts';
import { aRun, throughFile, type RecordedRun } from '../../mock-server/recordings/a-run.ts';

/** The runs of the inspector's examples. Running Vitest with `--update` records them again. */
const RUNS: Readonly<Record<string, (run: RecordedRun) => Promise<Described>>> = {
  'paused-webhook': recordPausedWebhook,
  'in-flow-retry': recordInFlowRetry,
  expiry: recordExpiry,
};

type Described = Pick<Recording, 'name' | 'description'>;

const MINUTE_MS = 60_000;

async function recordPausedWebhook(run: RecordedRun): Promise<Described> {
  const { control, clock, ready } = run.service;
  const [endpoint] = await control.endpoints((await ready).tenantId);
  const id = endpoint?.id ?? '';
  run.respondWith(401);
  const before = await run.create({ returnUrl: 'http://localhost/return' });
  await clock.advance(MINUTE_MS);
  await control.settle(before.sessionId, 'verified');
  await clock.advance(119 * MINUTE_MS);
  const during = await run.create({ returnUrl: 'http://localhost/return' });
  await clock.advance(MINUTE_MS);
  await control.settle(during.sessionId, 'failed_age_not_met');
  await clock.advance(29 * MINUTE_MS);
  run.respondWith(200);
  await control.resumeEndpoint(id);
  await clock.advance(MINUTE_MS);
  await control.redeliver(id);
  await clock.advance(29 * MINUTE_MS);
  return {
    name: 'Paused webhook',
    description:
      'The endpoint rejects every request for an hour and is paused. It is fixed, a test event resumes it, and Redeliver sends the missed events.',
  };
}

async function recordInFlowRetry(run: RecordedRun): Promise<Described> {
  const { clock, ready } = run.service;
  const { secretKey } = await ready;
  const start = async (): Promise<any> => run.create({ returnUrl: 'http://localhost/return' });
  const poor = { imageQuality: 'poor' };

  const second = await start();
  await clock.advance(20_000);
  await run.hosted('submit', second.sessionToken, poor);
  await clock.advance(5_000);
  await run.hosted('retry', second.sessionToken);
  await clock.advance(20_000);
  await run.hosted('submit', second.sessionToken, { imageQuality: 'good' });
  await clock.advance(1_000);
  await run.api('validate', secretKey, { sessionId: second.sessionId });
  await clock.advance(14_000);

  const dark = await start();
  for (const isLast of [false, false, true]) {
    await clock.advance(15_000);
    await run.hosted('submit', dark.sessionToken, poor);
    await clock.advance(5_000);
    if (!isLast) await run.hosted('retry', dark.sessionToken);
  }
  await run.api('validate', secretKey, { sessionId: dark.sessionId });
  await clock.advance(3 * MINUTE_MS);
  return {
    name: 'Retry in the same session',
    description:
      'The first image is not usable. The shopper takes another one in the same session and is verified. A second shopper runs out of retries and fails.',
  };
}

async function recordExpiry(run: RecordedRun): Promise<Described> {
  const { control, clock, ready } = run.service;
  await run.create({ returnUrl: 'http://localhost/return', externalUserId: 'anna' });
  await clock.advance(30_000);
  const late = await run.create({ returnUrl: 'http://localhost/return', externalUserId: 'ben' });
  await clock.advance(MINUTE_MS);
  await control.settle(late.sessionId, 'verified');
  await clock.advance(10 * MINUTE_MS);
  await run.api('validate', (await ready).secretKey, { sessionId: late.sessionId });
  await clock.advance(30_000);
  return {
    name: 'Expiry',
    description:
      'One shopper lets the ten minutes pass. Another one is verified, but the shop’s server calls validate a minute too late. It gets an error, and only the webhook reports the result.',
  };
}

describe.each(EXAMPLES)('the example $id', ({ id, text }) => {
  it('matches a new recording of the run', async () => {
    const run = aRun({ seed: 1 });
    const recorder = await run.service.record();
    const described = await RUNS[id]?.(run);
    const { format, version, name: _name, ...rest } = await recorder.stop();
    const recording = { format, version, ...described, ...rest };
    const path = fileURLToPath(
      new URL(`../../../playground/inspector/examples/${id}.json`, import.meta.url),
    );
    const options = await prettier.resolveConfig(path);
    const file = await prettier.format(JSON.stringify(recording), { ...options, parser: 'json' });
    await expect(file).toMatchFileSnapshot(path);
    await run.service.close();
  });

  it('replays without a difference', async () => {
    const service = createMockService();
    const recording = throughFile(JSON.parse(text) as Recording);
    const { differences, events } = await service.replay(recording, { assert: true });
    expect(differences).toEqual([]);
    expect(events.length).toBeGreaterThan(3);
    await service.close();
  });
});
