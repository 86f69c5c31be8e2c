import { describe, expect, it } from 'vitest';
import { orderEntries } from '../../../playground/inspector/order-entries.ts';
import { anEntry } from './an-entry.ts';

const HOUR = 3_600_000;

const order = (...args: Parameters<typeof orderEntries>): string[] =>
  orderEntries(...args).map(({ id }) => id);

const page = (id: string, realMs: number) => anEntry({ id, kind: 'sdk', realMs });
const request = (id: string, virtualMs: number, realMs: number) =>
  anEntry({ id, kind: 'request', virtualMs, realMs });
const event = (id: string, virtualMs: number, receivedMs: number | null = null) =>
  anEntry({ id, kind: 'event', virtualMs, receivedMs });

describe('orderEntries()', () => {
  it('puts entries of pages between the requests sent before and after them', () => {
    // The service's clock is an hour ahead.
    const entries = [
      page('resolved', 30),
      request('validate', HOUR + 40, 40),
      page('called', 5),
      event('completed', HOUR + 20),
      request('create', HOUR + 10, 10),
    ];
    expect(order(entries)).toEqual(['called', 'create', 'completed', 'resolved', 'validate']);
  });

  it('puts a cause before its effect if both have the same time', () => {
    const at = { virtualMs: 10, receivedMs: 10 };
    const entries = [
      anEntry({ id: 'attempt', kind: 'delivery', ...at }),
      anEntry({ id: 'event', kind: 'event', ...at }),
      anEntry({ id: 'session', kind: 'session', ...at }),
      request('request', 10, 10),
    ];
    expect(order(entries)).toEqual(['request', 'session', 'event', 'attempt']);
  });

  it('keeps the order of the service if its live messages are delayed or out of order', () => {
    const entries = [event('second', 20, 25), event('first', 10, 900), event('third', 30, 31)];
    expect(order(entries)).toEqual(['first', 'second', 'third']);
  });

  it('uses the time of receipt while the clock is frozen, even long after the last request', () => {
    const entries = [request('create', 10, 10), page('later', 5_000), event('settled', 10, 60_000)];
    expect(order(entries)).toEqual(['create', 'later', 'settled']);
  });

  it('puts a slightly delayed live message where its change happened', () => {
    // The message arrived 800 ms after the page's entry, which the same change had caused.
    const entries = [
      request('create', 10, 10),
      event('settled', 100, 1_000),
      page('resolved', 200),
    ];
    expect(order(entries)).toEqual(['create', 'settled', 'resolved']);
  });

  it('puts the effects of a clock move before the request that follows it', () => {
    const entries = [
      request('create', 0, 1_000),
      event('timeout', 10 * 60_000),
      page('seen', 3_000),
      request('validate', HOUR, 2_000),
    ];
    expect(order(entries)).toEqual(['create', 'timeout', 'validate', 'seen']);
  });

  it('sorts entries of the service by virtual time, regardless of their times of receipt', () => {
    let seed = 7;
    const random = (): number => (seed = (seed * 48_271) % 2_147_483_647) / 2_147_483_647;
    const entries = Array.from({ length: 400 }, (_, index) =>
      random() < 0.3
        ? page(`page-${index}`, Math.floor(random() * 10_000))
        : anEntry({
            id: `service-${index}`,
            virtualMs: Math.floor(random() * 10_000),
            receivedMs: random() < 0.5 ? null : Math.floor(random() * 20_000),
            realMs: random() < 0.3 ? Math.floor(random() * 10_000) : null,
          }),
    );
    const ordered = orderEntries(entries);
    expect(ordered).toHaveLength(400);
    const virtual = ordered.flatMap(({ virtualMs }) => virtualMs ?? []);
    expect(virtual).toEqual(virtual.toSorted((a, b) => a - b));
    const placed = ordered.map(({ placedMs }) => placedMs);
    expect(placed).toEqual(placed.toSorted((a, b) => a - b));
  });
});
