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
  it('keeps what the pages saw, oldest first', () => {
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

  it('leaves alone what is not its own', () => {
    my.items.set('kontor:token', 'secret');
    trace('page', 'Shop loaded');
    clearTrace();
    expect([...my.items.keys()]).toEqual(['kontor:token']);
  });

  it('keeps the newest 300', () => {
    for (let n = 0; n < 400; n += 1) trace('page', `page ${n}`);
    expect(titles()).toHaveLength(300);
    expect(titles().at(-1)).toBe('page 399');
    expect(my.items.size).toBeLessThanOrEqual(350);
  });

  it('loses nothing when two tabs write at once: each line has a key of its own', () => {
    trace('page', 'mine');
    const [entry] = readTrace();
    const theirs = { ...entry, id: 'other', title: 'theirs', at: '2020-01-01T00:00:00.000Z' };
    my.tell(`${PREFIX}${theirs.at}:000001:other`, JSON.stringify(theirs));
    trace('page', 'mine again');
    expect(titles()).toEqual(['theirs', 'mine', 'mine again']);
  });

  it('is heard of in this tab and from others, until one stops', () => {
    const heard: string[] = [];
    const stop = onTrace(({ title }) => heard.push(title));
    trace('sdk', 'here');
    const entry = { ...(readTrace()[0] as TraceEntry), title: 'there' };
    my.tell(`${PREFIX}z`, JSON.stringify(entry));
    my.tell('something else', JSON.stringify(entry));
    my.tell(`${PREFIX}y`, null);
    stop();
    trace('sdk', 'too late');
    my.tell(`${PREFIX}z`, JSON.stringify(entry));
    expect(heard).toEqual(['here', 'there']);
  });

  it.each([
    'no JSON',
    'null',
    '[]',
    '{"id":"a"}',
    '{"id":"a","at":"2026-01-01","kind":"dance","title":"b"}',
    '{"id":"a","at":"yesterday","kind":"sdk","title":"b"}',
  ])('leaves out what another script has put there: %s', (text) => {
    my.items.set(`${PREFIX}a`, text);
    expect(readTrace()).toEqual([]);
  });

  it('takes whatever a page saw, also what is no JSON', () => {
    const cycle: Record<string, unknown> = {};
    cycle['self'] = cycle;
    trace('message', 'a cycle', cycle);
    trace('message', 'nothing', undefined);
    trace('message', 'a bigint', 1n);
    expect(readTrace().map(({ detail }) => detail)).toEqual(['[object Object]', null, '1']);
  });

  it('costs the shopper nothing when storage is full or forbidden', () => {
    vi.spyOn(console, 'debug').mockImplementation(() => undefined);
    aStorage(0);
    expect(() => trace('page', 'full')).not.toThrow();
    vi.stubGlobal('localStorage', null);
    expect(() => trace('page', 'forbidden')).not.toThrow();
    expect(readTrace()).toEqual([]);
  });
});
