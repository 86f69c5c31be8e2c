import { expect, it } from 'vitest';
import { parseOptions } from '../../src/parse-options.ts';

const RULES = { timeoutMs: { min: 1, max: 60_000 } };
const parse = (timeoutMs: unknown) =>
  parseOptions<{ timeoutMs: number }>('verify()', { timeoutMs }, RULES).timeoutMs;

// No option is a number today. The compiler asks for a range for the first one.
it.each([0, -1, 60_001, 1.5, Number.NaN, Infinity, '15', null, 5n])(
  'an option with a range refuses %s',
  (value) => {
    expect(() => parse(value)).toThrow(
      `timeoutMs must be a whole number from 1 to 60000, got ${typeof value === 'string' ? '"15"' : value}`,
    );
  },
);

it.each([1, 60_000, undefined])('an option with a range accepts %s', (value) => {
  expect(parse(value)).toBe(value);
});
