import { OfAgeError } from './errors.ts';
import { kindOf } from './json-object.ts';

/**
 * Checks that an option is an integer in a range. `name` is the start of the error message: the action,
 * then the option.
 */
export function assertInteger(value: unknown, name: string, min: number, max: number): number {
  if (typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max) {
    return value;
  }
  throw new OfAgeError(
    'invalid_option',
    `${name} must be an integer from ${min} to ${max}, got ${kindOf(value)}`,
  );
}

/**
 * Tells whether a value may hold options. A promise, a signal or a Map has no names that could be unknown, so
 * it would be accepted and ignored.
 */
export function holdsFields(value: unknown): value is object {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  return (
    Object.keys(value).length > 0 || Object.prototype.toString.call(value) === '[object Object]'
  );
}

/** Checks that options, if there are any, are an object without unknown names. */
export function assertOptions(options: unknown, action: string, names: readonly string[]): void {
  if (options === undefined) return;
  if (!holdsFields(options)) {
    throw new OfAgeError(
      'invalid_option',
      `${action}: expected an object with ${names.join(' and ')}, got ${kindOf(options)}`,
    );
  }
  assertOptionNames(options, { action, names, quote: (name) => ` "${name}"` });
}

/** Checks that options have no unknown names. `quote` may hide a name, which can be a misplaced secret. */
export function assertOptionNames(
  options: object,
  texts: { action: string; names: readonly string[]; quote(name: string): string },
): void {
  const { action, names, quote } = texts;
  const unknown = Object.keys(options).find((name) => !names.includes(name));
  if (unknown !== undefined) {
    throw new OfAgeError(
      'invalid_option',
      `${action}: unknown option${quote(unknown)}; supported options: ${names.join(', ')}`,
    );
  }
}
