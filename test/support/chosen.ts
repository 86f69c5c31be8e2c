import { nearest } from '../../mock-server/api/nearest.ts';

/**
 * Returns the names in a list that is separated by commas.
 * @throws {RangeError} if a name is unknown or missing, because a run of nothing would pass
 */
export function chosenNames<T extends string>(
  option: string,
  list: string,
  known: readonly T[],
): T[] {
  return list.split(',').map((name) => {
    const found = known.find((one) => one === name.trim());
    if (found !== undefined) return found;
    const meant = nearest(name, known);
    const hint = meant === undefined ? `choose from ${known.join(', ')}` : `did you mean ${meant}?`;
    throw new RangeError(`${option} has no "${name}"; ${hint}`);
  });
}

/**
 * Returns a number of things to run, or of the first of them.
 * @throws {RangeError} if it is not a whole number from `min` on
 */
export function chosenNumber(option: string, text: string, min = 1): number {
  const value = Number(text);
  if (text.trim() !== '' && Number.isSafeInteger(value) && value >= min) return value;
  throw new RangeError(`${option} must be a whole number from ${min} on, got "${text}"`);
}
