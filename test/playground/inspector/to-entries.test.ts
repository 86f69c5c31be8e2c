import { describe, expect, it } from 'vitest';
import {
  toClockEntry,
  toDeliveryEntries,
  toEventEntry,
  toSessionEntries,
} from '../../../playground/inspector/to-entries.ts';
import { aProvider } from './a-provider.ts';

/** Creates a service with a cancelled session whose webhooks were rejected. */
async function aRefusedRun() {
  const { service, respondWith } = aProvider();
  respondWith(401);
  const { control, clock } = service;
  const { tenantId } = await service.ready;
  const session = await control.trigger({ name: 'cancelled' });
  await clock.advance(2 * 3_600_000);
  const [endpoint] = await control.endpoints(tenantId);
  if (!endpoint) throw new Error('there is no endpoint');
  return { service, control, session, endpoint };
}

const linesOf = (entries: readonly { title: string; tone: string }[]): string[] =>
  entries.map(({ title, tone }) => `${tone}: ${title}`);

describe('the entries of the timeline', () => {
  it('show a session, its events, each attempt, and the end of a delivery', async () => {
    const { service, control, session } = await aRefusedRun();
    expect(linesOf(toSessionEntries(session, null))).toEqual([
      'neutral: Session pending: L1, age 25',
      'warn: Session pending → cancelled',
    ]);
    const [started, cancelled] = await control.events({ sessionId: session.id });
    expect(started && toEventEntry(started, null).title).toBe('session.started');
    const deliveries = await control.deliveries({ sessionId: session.id });
    const entries = deliveries
      .filter(({ eventId }) => eventId === cancelled?.id)
      .flatMap((delivery) => toDeliveryEntries(delivery, 5));
    expect(linesOf(entries.slice(0, 1))).toEqual(['bad: verification.cancelled, attempt 1 → 401']);
    expect(linesOf(entries.slice(-1))[0]).toMatch(/^bad: verification\.cancelled not delivered/);
    // Each entry has its own id, so that the timeline shows it once, however often the delivery changes.
    expect(new Set(entries.map(({ id }) => id)).size).toBe(entries.length);
    for (const { receivedMs, kind, sessionId } of entries) {
      expect({ receivedMs, kind, sessionId }).toEqual({
        receivedMs: 5,
        kind: 'delivery',
        sessionId: session.id,
      });
    }
    await service.close();
  });

  it('show clock moves, but not the passing of time', () => {
    const reading = (now: string, frozen = false, receivedMs = 0) => ({
      clock: { now: `2026-01-01T${now}.000Z`, frozen },
      receivedMs,
    });
    const titleOf = (...args: Parameters<typeof toClockEntry>) =>
      toClockEntry(...args)?.title ?? null;
    const start = reading('08:00:00');
    expect(titleOf(start, reading('08:00:05', false, 5_000))).toBeNull();
    expect(titleOf(start, reading('08:10:05', false, 5_000))).toBe('Clock moved 10 min forward');
    expect(titleOf(start, reading('08:00:00', true, 100))).toBe('Clock frozen');
    expect(titleOf(start, reading('09:30:00', true))).toBe(
      'Clock moved 1 h 30 min forward, frozen',
    );
    expect(titleOf(reading('08:00:00', true), reading('08:00:00', false, 9_000))).toBe(
      'Clock resumed',
    );
    expect(titleOf(reading('08:00:00', true), reading('08:00:00', true, 9_000))).toBeNull();
    expect(titleOf(start, reading('07:00:00'))).toBe('Clock restarted');
  });
});
