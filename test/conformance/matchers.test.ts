import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  ABSENT,
  AGE,
  BOOLEAN,
  expectMatch,
  including,
  ISO_TIME,
  type Matcher,
  MODE,
  pattern,
  TEXT,
  UUID,
} from '../../mock-server/conformance/matchers.ts';
import { CheckFailure } from '../../mock-server/conformance/outcome.ts';

const ID = '0b9f5d3e-1c2a-4f6b-8d7e-9a0b1c2d3e4f';
const TIME = '2026-01-01T12:00:00';

describe('a matcher', () => {
  it.each<[Matcher, good: unknown[], bad: unknown[]]>([
    [TEXT, ['a', ' '], ['', 1, null, undefined]],
    [UUID, [ID, ID.toUpperCase()], [`${ID}0`, `x${ID}`, ID.slice(1), ID.replaceAll('-', ''), 1]],
    [
      ISO_TIME,
      [`${TIME}Z`, `${TIME}.123Z`, `${TIME}+02:00`],
      [TIME, `${TIME}.123`, '2026-01-01', `2026-13-01T12:00:00Z`, `x${TIME}Z`, `${TIME}Zx`, 0],
    ],
    [BOOLEAN, [true, false], ['true', 0, null]],
    [MODE, ['L1', 'L2'], ['L3', 'l1', '']],
    [AGE, [25, 99], [24, 100, '25', null]],
    [pattern('an a', /^a$/), ['a'], ['b', 1]],
    [
      including('a', 'b'),
      [
        ['b', 'a'],
        ['c', 'b', 'a'],
      ],
      [['a'], ['b', 'c'], 'a', [], undefined],
    ],
    [including('a'), ['a', ['a']], ['ab', ['ab']]],
    [ABSENT, [undefined], [null, '', false]],
  ])('accepts only $description', ({ matches }, good, bad) => {
    expect(good.filter((value) => !matches(value))).toEqual([]);
    expect(bad.filter((value) => matches(value))).toEqual([]);
  });
});

type Json = string | number | boolean | null | Json[] | { [name: string]: Json };

const { json } = fc.letrec<{ json: Json }>((tie) => ({
  json: fc.oneof(
    { maxDepth: 3 },
    fc.string({ maxLength: 3 }),
    fc.integer({ min: -2, max: 2 }),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('json'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom('a', 'b', 'c'), tie('json'), { noNullPrototype: true }),
  ),
}));

/** Returns the values that differ from the given one at one place. Objects have no further fields. */
function changed(value: Json): Json[] {
  if (Array.isArray(value))
    return [
      {},
      [...value, null],
      ...value.map((_, index) => value.toSpliced(index, 1)),
      ...value.flatMap((item, index) => changed(item).map((other) => value.with(index, other))),
    ];
  if (typeof value !== 'object' || value === null) return ['other', [value]];
  return [
    [],
    null,
    ...Object.keys(value).map((name) => omit(value, name)),
    ...Object.entries(value).flatMap(([name, item]) =>
      changed(item).map((other) => ({ ...value, [name]: other })),
    ),
  ];
}

function omit<Value>(object: Record<string, Value>, name: string): Record<string, Value> {
  return Object.fromEntries(Object.entries(object).filter(([other]) => other !== name));
}

/** Returns only the values that have more fields, and are otherwise equal. */
function extended(value: Json): Json[] {
  if (Array.isArray(value))
    return value.flatMap((item, index) => extended(item).map((other) => value.with(index, other)));
  if (typeof value !== 'object' || value === null) return [];
  const inner = Object.entries(value).flatMap(([name, item]) =>
    extended(item).map((other) => ({ ...value, [name]: other })),
  );
  return [{ ...value, extra: null }, ...inner];
}

const matches = (actual: Json, expected: Json, isStrict: boolean): boolean => {
  try {
    expectMatch('it', actual, expected, isStrict);
    return true;
  } catch (error) {
    if (error instanceof CheckFailure) return false;
    throw error;
  }
};

describe('expectMatch()', () => {
  it('accepts an equal value, and refuses one that differs at any place (property)', () => {
    fc.assert(
      fc.property(json, fc.boolean(), (value, isStrict) => {
        expect(matches(structuredClone(value), value, isStrict)).toBe(true);
        expect(changed(value).filter((other) => matches(other, value, isStrict))).toEqual([]);
      }),
    );
  });

  it('accepts further fields at any place, unless it is strict (property)', () => {
    fc.assert(
      fc.property(json, (value) => {
        const others = extended(value);
        expect(others.filter((other) => !matches(other, value, false))).toEqual([]);
        expect(others.filter((other) => matches(other, value, true))).toEqual([]);
      }),
    );
  });
});
