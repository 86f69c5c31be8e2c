import * as fc from 'fast-check';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { isOfAgeError } from 'ofage';
import { checkRateLimit, countAttempt } from '../../src/rate-limit.ts';
import { link, newOfAge, START_MS, useWorld, watch, world } from './world.ts';

useWorld();

/** Counts one attempt. Returns 0, or the waiting time in ms when the attempt is refused. */
function spend(user: string): number {
  try {
    countAttempt(user);
    return 0;
  } catch (error) {
    if (!isOfAgeError(error) || error.code !== 'rate_limited') throw error;
    return error.retryAfterMs!;
  }
}

/** Runs one attempt with a new object, as after a reload. Returns its error, or "sent". */
async function attempt(externalUserId = 'user-42', options = {}): Promise<any> {
  const ofAge = newOfAge(options);
  const seen = watch(ofAge.verify({ externalUserId }));
  await world.elapse(0);
  ofAge.destroy();
  await world.elapse(0);
  return seen.error ?? 'sent';
}

it('the rate limit allows five attempts a minute across reloads; the sixth opens no window and rejects with retryAfterMs', async () => {
  for (let i = 0; i < 5; i++) {
    expect(await attempt()).toBe('sent');
    await world.elapse(1000);
  }
  const error = await attempt();
  const says = 'Only five attempts a minute per externalUserId. Try again in 55 s';
  expect(error).toMatchObject({
    code: 'rate_limited',
    retryAfterMs: 55_000,
    details: { source: 'client' },
    message: says + link('rate_limited'),
  });
  expect(world.popups).toHaveLength(5);
  expect(world.fetch).toHaveBeenCalledTimes(5);
});

it.each([
  [59_999, 'refused'],
  [60_000, 'sent'],
])(
  'the rate limit uses a sliding window: the sixth attempt, %i ms after the first, is %s',
  async (ms, verdict) => {
    for (let i = 0; i < 5; i++) await attempt();
    vi.setSystemTime(START_MS + ms);
    expect((await attempt()) === 'sent' ? 'sent' : 'refused').toBe(verdict);
  },
);

it('the rate limit counts separately per user and per API key', async () => {
  for (let i = 0; i < 5; i++) await attempt('a');
  expect(await attempt('b')).toBe('sent');
  expect(await attempt('a', { apiKey: 'pk_other' })).toBe('sent');
  expect((await attempt('a')).code).toBe('rate_limited');
});

it('the rate limit does not lock a user out when the clock is set back', async () => {
  for (let i = 0; i < 5; i++) await attempt();
  vi.setSystemTime(START_MS - 3_600_000);
  expect(await attempt()).toBe('sent');
});

it('the rate limit stores neither the API key nor the user identifier in plain text', async () => {
  await attempt('jane@example.com');
  const stored = JSON.stringify({ ...localStorage });
  expect(stored).toMatch(/ofage/);
  expect(stored).not.toMatch(/jane|pk_test/);
});

it.each(['null', '{}', '"x"', 'not json', ',,,', '[1,2', 'NaN,Infinity,-1'])(
  'the rate limit ignores foreign content in the storage (%s)',
  async (text) => {
    await attempt();
    for (const key of Object.keys(localStorage)) localStorage.setItem(key, text);
    for (let i = 0; i < 5; i++) expect(await attempt()).toBe('sent');
    expect((await attempt()).code).toBe('rate_limited');
  },
);

describe('two tabs of one user', () => {
  /** Counts one attempt. Returns the function that gives it back. */
  const send = (): (() => void) => countAttempt('shared');
  const isRefused = (): boolean => spend('shared') > 0;

  it('share the limit if both check it before either sends', () => {
    checkRateLimit('shared');
    checkRateLimit('shared');
    for (let n = 0; n < 5; n += 1) send();
    expect(isRefused()).toBe(true);
  });

  it('give back only their own attempt, whatever the other does in between', () => {
    const giveBacks = [send(), send(), send()];
    send();
    giveBacks[1]!();
    giveBacks[1]!(); // a second time, which must not give back another one
    send();
    send();
    expect(isRefused()).toBe(true);
  });

  it('give back nothing of the other tab if their own attempt is gone', () => {
    const giveBack = send();
    localStorage.clear();
    vi.setSystemTime(START_MS + 1);
    for (let n = 0; n < 5; n += 1) send();
    giveBack();
    expect(isRefused()).toBe(true);
  });
});

it.each([
  ['whose identifiers differ in the second half of a surrogate pair', 'user😀', 'user😁'],
  ['of whom one is anonymous and one is called undefined', undefined, 'undefined'],
])('the rate limit counts separately for two users %s', async (_, one, other) => {
  const ofAge = newOfAge();
  for (let i = 0; i < 5; i += 1) {
    void ofAge.verify({ externalUserId: one });
    ofAge.destroy();
  }
  expect(await attempt(other)).toBe('sent');
});

describe('when storage is denied, the rate limit', () => {
  beforeEach(() => {
    vi.spyOn(globalThis, 'localStorage', 'get').mockImplementation(() => {
      throw new DOMException('denied', 'SecurityError');
    });
  });

  it('still counts within the page', async () => {
    for (let i = 0; i < 5; i++) expect(await attempt('denied')).toBe('sent');
    expect((await attempt('denied')).code).toBe('rate_limited');
  });

  it('gives back an attempt that did not reach the service', async () => {
    world.answer(new TypeError('Failed to fetch'));
    for (let i = 0; i < 6; i++) expect((await attempt('offline')).code).toBe('network_error');
  });
});

it('the rate limit keeps counting within the page, on top of the stored count, when storage is full', async () => {
  const user = 'full-user';
  expect(await attempt(user)).toBe('sent');
  const stored = localStorage;
  const full = vi.spyOn(globalThis, 'localStorage', 'get').mockReturnValue(
    new Proxy(stored, {
      set() {
        throw new DOMException('full', 'QuotaExceededError');
      },
    }),
  );
  for (let i = 0; i < 3; i++) expect(await attempt(user)).toBe('sent');
  full.mockRestore();
  // Once the storage has space again, no attempt is counted twice and none is lost.
  expect(await attempt(user)).toBe('sent');
  expect((await attempt(user)).code).toBe('rate_limited');
});

it('the rate limit does not count a second click or a call with an invalid option', async () => {
  const ofAge = newOfAge();
  void ofAge.verify();
  for (let i = 0; i < 10; i++) void ofAge.verify();
  for (let i = 0; i < 10; i++) await ofAge.verify({ nope: 1 } as never).catch(() => {});
  ofAge.destroy();
  for (let i = 0; i < 4; i++) {
    void ofAge.verify();
    ofAge.destroy();
  }
  const seen = watch(ofAge.verify());
  await world.elapse(0);
  expect(seen.error.code).toBe('rate_limited');
});

it('the rate limit does not count attempts that did not reach the service, and gives back only those', async () => {
  for (let i = 0; i < 4; i++) expect(await attempt()).toBe('sent');
  world.answer(new TypeError('Failed to fetch'));
  for (let i = 0; i < 6; i++) expect((await attempt()).code).toBe('network_error');
  world.answer({ status: 500, body: '' });
  expect((await attempt()).code).toBe('server_error');
  expect((await attempt()).code).toBe('rate_limited');
});

it('the rate limit counts an attempt that destroy() aborted, because the request may have arrived', async () => {
  world.hang();
  for (let i = 0; i < 5; i++) await attempt('aborted-user');
  expect((await attempt('aborted-user')).code).toBe('rate_limited');
});

it('the rate limit never allows more than five attempts in any minute, nor demands a wait above one minute (property)', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 0, max: 30_000 }), { maxLength: 40 }),
      fc.uuid(),
      (gaps, user) => {
        const sent: number[] = [];
        let now = START_MS;
        for (const gap of gaps) {
          now += gap;
          vi.setSystemTime(now);
          const waitMs = spend(user);
          expect(waitMs).toBeLessThanOrEqual(60_000);
          if (!waitMs) sent.push(now);
          else {
            vi.setSystemTime(now + waitMs);
            expect(() => checkRateLimit(user)).not.toThrow();
          }
          expect(sent.filter((at) => at > now - 60_000).length).toBeLessThanOrEqual(5);
        }
      },
    ),
    { numRuns: 200 },
  );
});
