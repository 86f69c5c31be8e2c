import { OfAgeError } from './errors.ts';
import { kindOf } from './json-object.ts';

/** Narrows an option to an integer in a range. `name` begins the sentence: the action, then the option. */
export function assertInteger(value: unknown, name: string, min: number, max: number): number {
  if (typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max) {
    return value;
  }
  throw new OfAgeError(
    'invalid_option',
    `${name} must be an integer from ${min} to ${max}, got ${kindOf(value)}`,
  );
}
