import { describe, expect, it } from 'vitest';
import { nextStop } from '../../../playground/labs/coop/next-stop.ts';
import { LABS, parseLab } from '../../../playground/labs/lab-route.ts';

describe('nextStop()', () => {
  const ROOT = 'http://127.0.0.1:4010/some/path/';
  const stop = (next: string, more = ''): string | null =>
    nextStop(`${ROOT}labs/coop/?next=${encodeURIComponent(next)}${more}`, ROOT);

  it('returns the hosted page with the parameters that the SDK appended', () => {
    expect(stop(`${ROOT}verify/?sessionId=1&lang=de`, '&lang=fr&skip_intro=true')).toBe(
      `${ROOT}verify/?sessionId=1&lang=de&skip_intro=true`,
    );
  });

  it.each([
    'https://elsewhere.example/verify/',
    'http://127.0.0.1:4011/some/path/verify/',
    `${ROOT}labs/`,
    `${ROOT}verify/../labs/`,
    'javascript:alert(1)',
    '//elsewhere.example/some/path/verify/',
    '',
  ])('rejects the destination "%s"', (next) => {
    expect(stop(next)).toBeNull();
  });
});

describe('parseLab()', () => {
  it.each([...LABS.map(({ id }) => [`#${id}`, id]), ['#/popup', 'popup'], ['', 'webhook']])(
    'parses "%s" as %s',
    (hash, id) => {
      expect(parseLab(hash!)).toBe(id);
    },
  );
});
