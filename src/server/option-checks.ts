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

/** Checks that options, if there are any, are an object without unknown names. */
export function assertOptionNames(
  options: unknown,
  action: string,
  names: readonly string[],
): void {
  if (options === undefined) return;
  const refuse = (reason: string): never => {
    throw new OfAgeError('invalid_option', `${action}: ${reason}`);
  };
  if (typeof options !== 'object' || options === null) {
    return refuse(`expected an object with ${names.join(' and ')}, got ${kindOf(options)}`);
  }
  const unknown = Object.keys(options).find((name) => !names.includes(name));
  if (unknown !== undefined) {
    refuse(`unknown option "${unknown}"; supported options: ${names.join(', ')}`);
  }
}
