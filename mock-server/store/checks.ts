import { isInstant, LAST_INSTANT_MS } from './instant.ts';
import { KEY_CHARACTERS, KEY_FORM, ONE_LINE } from './safe-text.ts';

/** A rule for a value in a row, which tests for the type `T`. */
export interface ValueCheck<T> {
  /** The expected value, which completes the sentence "… must be". */
  readonly name: string;
  holds(value: unknown): value is T;
}

/** A check of a column that a row may omit. Exported, because the published declarations name it. */
export interface OptionalCheck<T> extends ValueCheck<T> {
  readonly isOptional: true;
}

/** The checks of an object's properties, or of a table's columns except the id. */
// oxlint-disable-next-line typescript/no-explicit-any -- `any` accepts the check of every type
export type ValueChecks = Readonly<Record<string, ValueCheck<any>>>;

type Checked<C> = C extends ValueCheck<infer T> ? T : never;
type OptionalKey<S> = { [K in keyof S]: S[K] extends OptionalCheck<unknown> ? K : never }[keyof S];

/** The type of the objects with these properties. */
export type Fields<S extends ValueChecks> = {
  readonly [K in Exclude<keyof S, OptionalKey<S>>]: Checked<S[K]>;
} & { readonly [K in OptionalKey<S>]?: Checked<S[K]> };

/** The type of a table's rows. */
export type Row<S extends ValueChecks> = Fields<S> & { readonly id: string };

function check<T>(name: string, holds: (value: unknown) => boolean): ValueCheck<T> {
  return { name, holds: holds as ValueCheck<T>['holds'] };
}

export const text = check<string>('a string', (value) => typeof value === 'string');
export const line = check<string>(
  'a string without line breaks and control characters',
  (value) => typeof value === 'string' && ONE_LINE.test(value),
);
export const key = check<string>(
  `a string of at most 200 characters: ${KEY_CHARACTERS}`,
  (value) => typeof value === 'string' && KEY_FORM.test(value),
);
export const flag = check<boolean>('a boolean value', (value) => typeof value === 'boolean');
export const number = check<number>('a number', Number.isFinite);
export const int = check<number>('an integer', Number.isSafeInteger);
export const scalar = check<string | number | boolean | null>(
  'a string, a number, a boolean value or null',
  (value) => value === null || text.holds(value) || flag.holds(value) || number.holds(value),
);
export const time = check<number>(
  `an integer up to ${LAST_INSTANT_MS} (the end of the year 9999)`,
  isInstant,
);
export const url = check<string>(
  'an http or https URL without control characters',
  (value) =>
    typeof value === 'string' &&
    ONE_LINE.test(value) &&
    /^https?:/i.test(value) &&
    URL.canParse(value),
);
/** A check of a URL that a shop chose, which the API accepts in this form. */
export const pageUrl = check<string>(
  'an http or https URL without spaces and control characters',
  (value) =>
    typeof value === 'string' &&
    // oxlint-disable-next-line no-control-regex -- the pattern matches control characters
    /^https?:[^\x00-\x20\x7f]*$/i.test(value) &&
    URL.canParse(value),
);

export function orNull<T>(inner: ValueCheck<T>): ValueCheck<T | null> {
  const name = inner.name === time.name ? `${inner.name}, or null` : `${inner.name} or null`;
  return check(name, (value) => value === null || inner.holds(value));
}

/** Makes a check optional, for a column that a row may omit. */
export function optional<T>(inner: ValueCheck<T>): OptionalCheck<T> {
  const holds = (value: unknown): boolean => value === undefined || inner.holds(value);
  return { ...check<T>(`${inner.name}, or absent`, holds), isOptional: true };
}

export function oneOf<const T extends string>(...values: readonly T[]): ValueCheck<T> {
  return check(`one of ${values.join(', ')}`, (value) => values.some((one) => one === value));
}

export const textsByName = check<Readonly<Record<string, string>>>(
  'an object of strings',
  (value) => isRecord(value) && Object.values(value).every((item) => text.holds(item)),
);

/** @param name The item's name in the plural, as in `an array of strings`. */
export function listOf<T>(inner: ValueCheck<T>, name: string): ValueCheck<readonly T[]> {
  return check(
    `an array of ${name}`,
    (value) => Array.isArray(value) && value.every((item) => inner.holds(item)),
  );
}

/** Checks an object of the type `T`. The compiler compares its properties with the checks. */
export function objectOf<T extends object>(checks: {
  readonly [K in keyof T]-?: undefined extends T[K]
    ? OptionalCheck<Exclude<T[K], undefined>>
    : ValueCheck<T[K]>;
}): ValueCheck<T> {
  const entries = Object.entries<ValueCheck<unknown>>(checks);
  return check(
    `an object with only ${entries.map(([key, { name }]) => `${key} (${name})`).join(', ')}`,
    (value) =>
      isRecord(value) &&
      Object.keys(value).every((key) => Object.hasOwn(checks, key)) &&
      entries.every(([key, one]) => one.holds(value[key])),
  );
}

/** Tells whether a value is an object and not an array. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
