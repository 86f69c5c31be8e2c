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
