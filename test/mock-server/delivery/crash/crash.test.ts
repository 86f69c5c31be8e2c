import { spawn } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { DeliveryResource } from 'ofage/mock';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startFaultyReceiver, type FaultyReceiver } from '../../../support/faulty-receiver.ts';
import { createTestTls, hasOpenssl, type TestTls } from '../../../support/tls.ts';
import type { ChildSays, ChildTask } from './child.ts';

const CHILD = fileURLToPath(new URL('child.ts', import.meta.url));
const EVENTS = 3;
const HOUR = 3_600_000;
/** The time limit of a test. A process starts in half a second, but the machine may be busy. */
const TIMEOUT_MS = 60_000;

type End = Extract<ChildSays, { kind: 'end' }>;

describe.skipIf(!hasOpenssl())('a service that is killed with -9', () => {
  let tls: TestTls;
  let folder: string;
  let receiver: FaultyReceiver;
  beforeAll(() => {
    tls = createTestTls(['shop.example']);
  });
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'ofage-crash-'));
    writeFileSync(join(folder, 'ca.pem'), tls.ca);
    receiver = await startFaultyReceiver({ tls });
  });
  afterEach(async () => {
    await receiver.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it.each<[string, number, string]>([
    ['c0_before', 3, 'before the third session and its event are durable'],
    ['c1', 1, 'between the claim and the first byte'],
    ['c3', 1, 'after the receiver has responded'],
    ['c4_before', 1, 'before the outcome is durable'],
  ])(
    'loses nothing if killed at %s (occurrence %i): %s',
    async (phase, nth) => {
      const first = await run({ phase, nth, events: EVENTS, advanceMs: 0 });
      expect(first.signal).toBe('SIGKILL');
      const second = await run({ phase: null, nth: 0, events: 0, advanceMs: 60_000 });
      expect(second.signal).toBeNull();

      const deliveries = second.end?.deliveries as DeliveryResource[];
      const known = new Set(deliveries.map(({ sessionId }) => sessionId));
      // Every acknowledged event exists. One more may be durable although it was not acknowledged.
      for (const sessionId of first.events) expect(known).toContain(sessionId);
      expect(known.size - first.events.length).toBeLessThanOrEqual(1);
      if (phase === 'c0_before') expect(known.size).toBe(nth - 1);
      for (const { status } of deliveries) expect(status).toBe('delivered');

      const copies = new Map<string, string[]>();
      for (const { body, headers } of receiver.handled) {
        const text = body.toString();
        const { data } = JSON.parse(text) as { data: { sessionId: string } };
        copies.set(data.sessionId, [...(copies.get(data.sessionId) ?? []), text]);
        const digest = createHmac('sha256', 'a secret').update(body).digest('hex');
        expect(headers['x-ofage-signature']).toBe(`sha256=${digest}`);
      }
      expect(new Set(copies.keys())).toEqual(known);
      // A duplicate is allowed only for a lost attempt, whose request the receiver may have handled.
      for (const { sessionId, attempts } of deliveries) {
        const lost = attempts.filter(({ outcome }) => outcome === 'lost').length;
        expect(copies.get(sessionId)?.length).toBeLessThanOrEqual(1 + lost);
      }
      const extra = [...copies.values()].flat().length - known.size;
      if (phase === 'c3' || phase === 'c4_before') expect(extra).toBeGreaterThan(0);
      if (phase === 'c0_before') expect(extra).toBe(0);
      for (const texts of copies.values()) expect(new Set(texts).size).toBe(1);

      const attempts = deliveries.flatMap(({ attempts }) => attempts);
      for (const { outcome } of attempts) expect(['ok', 'lost']).toContain(outcome);
      if (phase !== 'c0_before') expect(attempts.map(({ outcome }) => outcome)).toContain('lost');
    },
    TIMEOUT_MS,
  );

  it(
    'pauses an endpoint once, with one notice and one e-mail, if killed before the pause is durable',
    async () => {
      receiver.behave({ kind: 'status', status: 401 });
      const first = await run({ phase: 'c5_before', nth: 1, events: EVENTS, advanceMs: 3 * HOUR });
      expect(first.signal).toBe('SIGKILL');
      const second = await run({ phase: null, nth: 0, events: 0, advanceMs: 3 * HOUR });
      expect(second.end).toMatchObject({ paused: true, emails: 1, notices: 1 });
      const ended = (second.end?.deliveries ?? []) as DeliveryResource[];
      expect(ended).toHaveLength(EVENTS);
      for (const { status, reason } of ended)
        expect([status, reason]).toEqual(['undelivered', 'paused']);
      // Nothing is sent while the endpoint is paused.
      const requests = receiver.requests.length;
      await run({ phase: null, nth: 0, events: 1, advanceMs: 3 * HOUR });
      expect(receiver.requests).toHaveLength(requests);
    },
    TIMEOUT_MS,
  );

  async function run(
    what: Pick<ChildTask, 'phase' | 'nth' | 'events' | 'advanceMs'>,
  ): Promise<{ signal: string | null; events: string[]; end: End | undefined }> {
    const task: ChildTask = {
      ...what,
      file: join(folder, 'state.db'),
      ca: join(folder, 'ca.pem'),
      port: receiver.port,
    };
    const child = spawn(process.execPath, [CHILD, JSON.stringify(task)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
    const signal = await new Promise<string | null>((resolve) => {
      child.on('close', (_code, by) => resolve(by));
    });
    const words = output
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as ChildSays);
    return {
      signal,
      events: words.flatMap((word) => (word.kind === 'event' ? [word.sessionId] : [])),
      end: words.find((word) => word.kind === 'end'),
    };
  }
});
