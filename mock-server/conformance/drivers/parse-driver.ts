import { NEEDS, type Driver } from '../driver.ts';

const NAMES = [...Object.keys(NEEDS), 'close'];

/**
 * Checks that a value, such as the default export of a module, is a driver.
 * @throws {TypeError} if it is not an object, or if a member is unknown or, except for `mock`, not a function
 */
export function parseDriver(value: unknown): Driver {
  if (typeof value !== 'object' || value === null)
    throw new TypeError('its default export must be an object with the functions of a driver');
  const unknown = Object.keys(value).find((name) => !NAMES.includes(name));
  if (unknown !== undefined)
    throw new TypeError(`a driver has no "${unknown}"; its members are ${NAMES.join(', ')}`);
  const wrong = Object.entries(value).find(
    ([name, member]) => name !== 'mock' && typeof member !== 'function',
  );
  if (wrong) throw new TypeError(`"${wrong[0]}" must be a function`);
  return value;
}
