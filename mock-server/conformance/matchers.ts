import { CheckFailure } from './outcome.ts';

/** An expected value that is checked by a function instead of by equality. */
export class Matcher {
  readonly description: string;
  readonly matches: (value: unknown) => boolean;

  constructor(description: string, matches: (value: unknown) => boolean) {
    this.description = description;
    this.matches = matches;
  }
}

/** Matches every string that is not empty. */
export const TEXT = new Matcher('a string', (value) => typeof value === 'string' && value !== '');

export const UUID = new Matcher(
  'an identifier in the form of a UUID',
  (value) =>
    typeof value === 'string' &&
    /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i.test(value),
);

/** Matches an ISO 8601 time with a time zone. */
export const ISO_TIME = new Matcher(
  'an ISO 8601 time',
  (value) =>
    typeof value === 'string' &&
    /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/.test(value) &&
    !Number.isNaN(Date.parse(value)),
);

export const BOOLEAN = new Matcher('true or false', (value) => typeof value === 'boolean');

export const MODE = new Matcher('L1 or L2', (value) => value === 'L1' || value === 'L2');

export const AGE = new Matcher(
  'an age from 25 to 99',
  (value) => typeof value === 'number' && value >= 25 && value <= 99,
);

export function pattern(description: string, regExp: RegExp): Matcher {
  return new Matcher(description, (value) => typeof value === 'string' && regExp.test(value));
}

/**
 * Matches a list that contains all the given strings, in any order, and perhaps others. A single value
 * counts as a list.
 */
export function including(...texts: readonly string[]): Matcher {
  return new Matcher(
    `a list with ${texts.map((text) => JSON.stringify(text)).join(' and ')}`,
    (value) => {
      const list = [value].flat();
      return texts.every((text) => list.includes(text));
    },
  );
}

/** Matches only if the field is absent. */
export const ABSENT = new Matcher('no such field', (value) => value === undefined);

/**
 * Checks that a value matches the expected one, which may contain matchers. Lists must have the same
 * length.
 * @param isStrict True if an unexpected field is a failure. By default, an implementation may add fields.
 */
export function expectMatch(
  what: string,
  actual: unknown,
  expected: unknown,
  isStrict: boolean,
): void {
  const difference = findDifference(what, actual, expected, isStrict);
  if (!difference) return;
  // A field that one response lacks is probably absent in others too.
  const sharedCause = difference.answered === show(undefined) ? difference.path : null;
  throw new CheckFailure(difference.expected, difference.answered, sharedCause);
}

interface Difference {
  readonly path: string;
  readonly expected: string;
  readonly answered: string;
}

function findDifference(
  path: string,
  actual: unknown,
  expected: unknown,
  isStrict: boolean,
): Difference | undefined {
  if (expected instanceof Matcher) {
    if (expected.matches(actual)) return undefined;
    return { path, expected: `${path} to be ${expected.description}`, answered: show(actual) };
  }
  if (
    !isObject(expected) ||
    !isObject(actual) ||
    Array.isArray(expected) !== Array.isArray(actual)
  ) {
    if (Object.is(expected, actual)) return undefined;
    return { path, expected: `${path} to be ${show(expected)}`, answered: show(actual) };
  }
  if (Array.isArray(expected) && expected.length !== (actual as unknown as unknown[]).length)
    return { path, expected: `${path} to be ${show(expected)}`, answered: show(actual) };
  for (const [name, value] of Object.entries(expected)) {
    const difference = findDifference(join(path, name), actual[name], value, isStrict);
    if (difference) return difference;
  }
  const extra = isStrict
    ? Object.keys(actual).find((name) => !Object.hasOwn(expected, name))
    : undefined;
  if (extra === undefined) return undefined;
  return {
    path,
    expected: `${path} to have only the fields ${Object.keys(expected).join(', ')}`,
    answered: `also ${extra}: ${show(actual[extra])}`,
  };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

const join = (path: string, name: string): string =>
  /^\d+$/.test(name) ? `${path}[${name}]` : `${path}.${name}`;

/** Formats a value for a sentence. */
export function show(value: unknown): string {
  if (value === undefined) return 'nothing';
  const text = JSON.stringify(value, (_key, inner: unknown) =>
    inner instanceof Matcher ? `<${inner.description}>` : inner,
  );
  return shorten(text);
}

const LONGEST = 240;

export function shorten(text: string): string {
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}… (${text.length} characters)` : text;
}
