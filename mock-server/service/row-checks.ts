import { isInstant, LAST_INSTANT_MS } from '../store/clock.ts';

/** A rule for a value in a snapshot, with its description for the error message. */
export interface Check {
  /** The expected value, which completes the sentence "… must be". */
  readonly name: string;
  holds(value: unknown): boolean;
}

export const text: Check = { name: 'a string', holds: (value) => typeof value === 'string' };
export const flag: Check = {
  name: 'a boolean value',
  holds: (value) => typeof value === 'boolean',
};
export const number: Check = { name: 'a number', holds: (value) => Number.isFinite(value) };
export const int: Check = { name: 'an integer', holds: (value) => Number.isSafeInteger(value) };
export const time: Check = {
  name: `an integer up to ${LAST_INSTANT_MS} (the end of the year 9999)`,
  holds: isInstant,
};
export const url: Check = {
  name: 'a URL',
  holds: (value) => typeof value === 'string' && URL.canParse(value),
};

export function orNull(check: Check): Check {
  const name = check === time ? `${check.name}, or null` : `${check.name} or null`;
  return { name, holds: (value) => value === null || check.holds(value) };
}

/** Makes a check optional, for a column that a row may omit. */
export function optional(check: Check): Check {
  return {
    name: `${check.name}, or absent`,
    holds: (value) => value === undefined || check.holds(value),
  };
}

export function oneOf(...values: readonly string[]): Check {
  return {
    name: `one of ${values.join(', ')}`,
    holds: (value) => values.some((one) => one === value),
  };
}

export const textsByName: Check = {
  name: 'an object of strings',
  holds: (value) =>
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    Object.values(value).every((item) => text.holds(item)),
};

/** @param name The item's name in the plural, as in `an array of strings`. */
export function listOf(check: Check, name: string): Check {
  return {
    name: `an array of ${name}`,
    holds: (value) => Array.isArray(value) && value.every((item) => check.holds(item)),
  };
}

export function objectOf(checks: Readonly<Record<string, Check>>): Check {
  const entries = Object.entries(checks);
  return {
    name: `an object with only ${entries.map(([key, { name }]) => `${key} (${name})`).join(', ')}`,
    holds: (value) =>
      typeof value === 'object' &&
      value !== null &&
      !Array.isArray(value) &&
      Object.keys(value).every((key) => Object.hasOwn(checks, key)) &&
      entries.every(([key, check]) => check.holds((value as Record<string, unknown>)[key])),
  };
}
