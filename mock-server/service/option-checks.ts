import * as v from 'valibot';
import { isRecord } from '../store/checks.ts';
import { describeUrl } from '../store/safe-text.ts';

/** The schemas of all options. The message of each schema says what is expected: "a function". */
export type OptionSchemas<Options> = Readonly<Record<keyof Required<Options>, v.GenericSchema>>;

/**
 * Checks each option of a call, for callers that do not use TypeScript.
 *
 * @param names.action the action for the message, such as "create the service"
 * @param names.path the prefix of each option's name, such as `clock.`
 * @throws {TypeError} if the options are not an object, or if one of them is unknown or invalid
 */
export function assertOptions<Options>(
  options: Options,
  schemas: OptionSchemas<Options>,
  { action, path = '' }: { readonly action: string; readonly path?: string },
): void {
  const given: unknown = options;
  if (!isRecord(given))
    throw new TypeError(`Cannot ${action}: its options must be an object, got ${describe(given)}`);
  const known: Readonly<Record<string, v.GenericSchema>> = schemas;
  for (const [name, value] of Object.entries(given)) {
    const schema = Object.hasOwn(known, name) ? known[name] : undefined;
    if (!schema) {
      const names = Object.keys(known).map((one) => path + one);
      throw new TypeError(
        `Cannot ${action}: unknown option "${path}${name}"; supported options: ${names.join(', ')}`,
      );
    }
    if (value === undefined) continue;
    const [issue] = v.safeParse(schema, value).issues ?? [];
    if (issue) {
      throw new TypeError(
        `Cannot ${action}: ${path}${name} must be ${issue.message}, got ${describe(value)}`,
      );
    }
  }
}

/** Formats a value for a message. For objects and functions, only their type is named. */
function describe(value: unknown): string {
  // A URL may have a password.
  if (typeof value === 'string') return JSON.stringify(describeUrl(value));
  if (typeof value === 'function') return 'a function';
  if (Array.isArray(value)) return 'an array';
  return isRecord(value) ? 'an object' : String(value);
}

/** Accepts an object that has these methods, of its own or from its class. */
export const withMethods = (expected: string, ...names: readonly string[]): v.GenericSchema =>
  v.custom(
    (value) => isRecord(value) && names.every((name) => typeof value[name] === 'function'),
    expected,
  );

export function isOrigin(value: unknown): boolean {
  if (typeof value !== 'string' || !URL.canParse(value)) return false;
  return /^https?:/.test(value) && new URL(value).origin === value;
}

export function isPort(value: unknown): boolean {
  return Number.isInteger(value) && Number(value) >= 0 && Number(value) <= 65_535;
}

export const aFunction = v.function('a function');
// Valibot's object schemas accept arrays.
export const anObject = v.custom(isRecord, 'an object');
export const anArray = v.array(v.unknown(), 'an array');
export const aBoolean = v.boolean('true or false');
export const aString = v.string('a string');
// Valibot's number schema refuses NaN. The check of the range that follows has the better message for it.
export const aNumber = v.custom((value) => typeof value === 'number', 'a number');
