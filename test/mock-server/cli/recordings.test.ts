import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startMockServer, type MockServer } from '../../../mock-server/hosts/node-server.ts';
import { postJson } from '../../support/api.ts';
import { spawnMock } from '../../support/mock-process.ts';
import { startReceiver, type Receiver } from '../../support/receiver.ts';
import { type } from './a-terminal.ts';

let folder: string;
let server: MockServer;
let receiver: Receiver;
let url: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'ofage-recordings-'));
  receiver = await startReceiver();
  server = await startMockServer({
    port: 0,
    allowLoopbackWebhooks: true,
    forwardTo: receiver.url,
  });
  url = new URL(server.apiBase).origin;
});
afterAll(async () => {
  await server.close();
  await receiver.close();
  rmSync(folder, { recursive: true });
});

/**
 * Records a session that fails and is validated. The recording runs in another process and is saved to a
 * file.
 */
async function recordRun(file: string, args: readonly string[] = []): Promise<string> {
  const recording = spawnMock(['record', file, '--url', url, ...args]);
  expect(await recording.firstLine()).toContain('Ctrl-C stops it');
  const { body } = await postJson(`${server.apiBase}/sessions/create`, server.secretKey, {
    returnUrl: 'http://localhost/',
    externalUserId: 'anna',
  });
  await server.control.settle(body.sessionId, 'failed_age_not_met');
  await postJson(`${server.apiBase}/sessions/validate`, server.secretKey, {
    sessionId: body.sessionId,
  });
  const { code, stdout, stderr } = await recording.kill('SIGINT');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return stdout;
}

describe('record and replay', () => {
  it('save a run of a mock to a file, and replay the file in another process', async () => {
    const file = join(folder, 'too-young.ofage.json');
    const stdout = await recordRun(file);
    expect(stdout).toMatch(/Recording "too-young" at http:\S+\. Ctrl-C stops it\.\n/);
    expect(stdout).toMatch(/Steps\s+3\nEvents\s+2\n$/);
    const text = readFileSync(file, 'utf8');
    for (const value of [server.secretKey, server.webhookSecret, receiver.url, url])
      expect(text).not.toContain(value);
    const sent = receiver.received.length;

    const { code, stdout: said, stderr } = await spawnMock(['replay', file, '--assert']).ended;
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(said).toBe('Same  "too-young": 2 events, as recorded\n');
    expect(receiver.received.length).toBe(sent);
  });

  it('print all differences of a replay, but only the first one with --assert', async () => {
    const file = join(folder, 'named.json');
    await recordRun(file, ['--name', 'Anna is too young']);
    const changed = join(folder, 'changed.json');
    writeFileSync(
      changed,
      readFileSync(file, 'utf8').replace('"failed_age_not_met"', '"verified"'),
    );

    expect(await type(['replay', changed, '--assert'])).toEqual({
      code: 1,
      stdout:
        'The replay of "Anna is too young" differs from the recording: $session1 verification.failed: did not happen again (and 2 more)\n',
      stderr: '',
    });
    const { code, stdout } = await type(['replay', changed]);
    expect(code).toBe(0);
    expect(stdout.split('\n')).toEqual([
      'Different  "Anna is too young": differences: 3',
      '  $session1 verification.failed: did not happen again',
      '  $session1 verification.completed: was not recorded',
      '  $session1: is verified and validated instead of failed (age_not_met) and validated',
      '',
    ]);
    const json = await type(['replay', changed, '--assert', '--json']);
    expect(json.code).toBe(1);
    expect(JSON.parse(json.stdout)).toMatchObject({ isSame: false, differences: { length: 3 } });
  });

  it('load the state at the end of a replay into a running mock with replay --load', async () => {
    const other = await startMockServer({ port: 0 });
    const file = join(folder, 'to-load.json');
    await recordRun(file);
    const { code } = await type(['replay', file, '--load', '--url', new URL(other.apiBase).origin]);
    expect(code).toBe(0);
    expect(await other.control.sessions()).toMatchObject([
      { externalUserId: 'anna', status: 'failed' },
    ]);
    await other.close();
  });

  it('reject files that they cannot use', async () => {
    const file = join(folder, 'exists.json');
    writeFileSync(file, '{}');
    const nowhere = join(folder, 'no-such-folder', 'a.json');
    expect((await type(['record', file, '--url', url])).stderr).toBe(
      `ofage-mock: Cannot record: the file "${file}" already exists\n`,
    );
    expect((await type(['record', nowhere, '--url', url])).stderr).toContain('is not writable');
    expect((await type(['replay', nowhere])).stderr).toBe(
      `ofage-mock: Cannot use the recording "${nowhere}": the file does not exist\n`,
    );
    expect(await type(['replay', file])).toEqual({
      code: 1,
      stdout: '',
      stderr:
        'ofage-mock: Cannot use the recording: it must be a JSON object whose format is "ofage-recording"\n',
    });
    expect((await server.control.recording()).isRecording).toBe(false);
  });
});
