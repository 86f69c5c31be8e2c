import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  type TraceEntry,
  clearTrace,
  onTrace,
  readTrace,
  trace,
} from '../../../playground/shared/trace.ts';
import { aStorage } from './a-storage.ts';

const PREFIX = 'ofage-playground:trace:';
let my: ReturnType<typeof aStorage>;
beforeEach(() => {
  my = aStorage();
});
afterEach(() => vi.unstubAllGlobals());

const titles = (): string[] => readTrace().map(({ title }) => title);

describe('the trace', () => {
  it('keeps entries, oldest first, until it is cleared', () => {
    trace('sdk', 'verify() called', { options: { skipIntro: true } });
    trace('callback', 'onComplete: verified', null, 'session-1');
    expect(readTrace()).toEqual([
      {
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        at: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
        kind: 'sdk',
        title: 'verify() called',
        sessionId: null,
        detail: { options: { skipIntro: true } },
      },
      expect.objectContaining({ kind: 'callback', sessionId: 'session-1', detail: null }),
    ]);
    clearTrace();
    expect(readTrace()).toEqual([]);
  });

  it('does not clear other items in the storage', () => {
    my.items.set('kontor:token', 'secret');
    trace('page', 'Shop loaded');
    clearTrace();
    expect([...my.items.keys()]).toEqual(['kontor:token']);
  });

  it('keeps the newest 300 entries', () => {
    for (let n = 0; n < 400; n += 1) trace('page', `page ${n}`);
    expect(titles()).toEqual(Array.from({ length: 300 }, (_, n) => `page ${100 + n}`));
    expect(my.items.size).toBeLessThanOrEqual(350);
  });

  it('loses no entry when two tabs write at the same time, because each entry has a separate key', () => {
    trace('page', 'mine');
    const [entry] = readTrace();
    const theirs = { ...entry, id: 'other', title: 'theirs', at: '2020-01-01T00:00:00.000Z' };
    my.writeElsewhere(`${PREFIX}${theirs.at}:000001:other`, JSON.stringify(theirs));
    trace('page', 'mine again');
    expect(titles()).toEqual(['theirs', 'mine', 'mine again']);
  });

  it('notifies listeners about entries of this tab and others until they stop', () => {
    const received: string[] = [];
    const stop = onTrace(({ title }) => received.push(title));
    trace('sdk', 'here');
    const entry = { ...(readTrace()[0] as TraceEntry), title: 'there' };
    my.writeElsewhere(`${PREFIX}z`, JSON.stringify(entry));
    my.writeElsewhere('something else', JSON.stringify(entry));
    my.writeElsewhere(`${PREFIX}y`, null);
    stop();
    trace('sdk', 'too late');
    my.writeElsewhere(`${PREFIX}z`, JSON.stringify(entry));
    expect(received).toEqual(['here', 'there']);
  });

  it.each([
    'no JSON',
    'null',
    '[]',
    '{"id":"a"}',
    '{"id":"a","at":"2026-01-01","kind":"dance","title":"b"}',
    '{"id":"a","at":"yesterday","kind":"sdk","title":"b"}',
  ])('ignores invalid entries of other scripts: %s', (text) => {
    my.items.set(`${PREFIX}a`, text);
    expect(readTrace()).toEqual([]);
  });

  it('accepts details that JSON cannot represent', () => {
    const cycle: Record<string, unknown> = {};
    cycle['self'] = cycle;
    trace('message', 'a cycle', cycle);
    trace('message', 'nothing', undefined);
    trace('message', 'a bigint', 1n);
    expect(readTrace().map(({ detail }) => detail)).toEqual(['[object Object]', null, '1']);
  });

  it('does not throw when the storage is full or forbidden', () => {
    vi.spyOn(console, 'debug').mockImplementation(() => undefined);
    aStorage(0);
    expect(() => trace('page', 'full')).not.toThrow();
    vi.stubGlobal('localStorage', null);
    expect(() => trace('page', 'forbidden')).not.toThrow();
    expect(readTrace()).toEqual([]);
  });
});
