import { describe, expect, it, vi } from 'vitest';
import { OfAge } from 'ofage';
import { newOfAge, useWorld, watch } from './world.ts';
import { GOOD, link } from './mistake.ts';
import { CALLS, KEYS, WORDS } from './mistake-options.ts';
import { URLS } from './mistake-urls.ts';

/** The exact message that a developer gets for each likely mistake. */

useWorld();

describe('new OfAge()', () => {
  it.each([...KEYS, ...URLS, ...WORDS])('with $mistake throws: $says', ({ given, code, says }) => {
    let error: unknown;
    try {
      void new OfAge(given as never);
    } catch (thrown) {
      error = thrown;
    }
    expect(error).toMatchObject({ code, message: says + link(code) });
    expect(JSON.stringify(error)).not.toContain('hush');
  });

  it('throws the TypeError of the browser if the word new is missing', () => {
    expect(() => (OfAge as unknown as (options: object) => void)(GOOD)).toThrow(TypeError);
  });
});

describe('verify()', () => {
  it.each(CALLS)('with $mistake rejects with: $says', async ({ given, code, says }) => {
    const seen = watch(newOfAge().verify(given as never));
    await vi.advanceTimersByTimeAsync(0);
    expect(seen.error).toMatchObject({ code, message: says + link(code) });
  });
});
