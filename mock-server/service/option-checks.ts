export interface Check {
  readonly expected: string;
  holds(value: unknown): boolean;
}

export type Checks<Options> = Readonly<Record<keyof Required<Options>, Check>>;

/**
 * Checks each option of a call, for callers that do not use TypeScript.
 *
 * @param action the action for the message, such as "create the service"
 * @param path the prefix of each option's name: `clock.`, or empty
 * @throws {TypeError} if the options are not an object, or if one of them is unknown or invalid
 */
export function assertOptions<Options>(
  action: string,
  options: Options,
  checks: Checks<Options>,
  path = '',
): void {
  const given: unknown = options;
  if (!isObject(given))
    throw new TypeError(`Cannot ${action}: its options must be an object, got ${describe(given)}`);
  const rules: Readonly<Record<string, Check>> = checks;
  for (const [name, value] of Object.entries(given)) {
    const check = Object.hasOwn(rules, name) ? rules[name] : undefined;
    if (!check) {
      const known = Object.keys(rules).map((one) => path + one);
      throw new TypeError(
        `Cannot ${action}: unknown option "${path}${name}"; supported options: ${known.join(', ')}`,
      );
    }
    if (value !== undefined && !check.holds(value)) {
      throw new TypeError(
        `Cannot ${action}: ${path}${name} must be ${check.expected}, got ${describe(value)}`,
      );
    }
  }
}

/** Formats a value for a message. For objects and functions, only their type is named. */
function describe(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value);
  if (typeof value === 'function') return 'a function';
  if (Array.isArray(value)) return 'an array';
  return isObject(value) ? 'an object' : String(value);
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isFunction = (value: unknown): boolean => typeof value === 'function';

export const hasMethods =
  (...names: readonly string[]) =>
  (value: unknown): boolean =>
    isObject(value) && names.every((name) => isFunction(value[name]));

export function isOrigin(value: unknown): boolean {
  if (typeof value !== 'string' || !URL.canParse(value)) return false;
  return /^https?:/.test(value) && new URL(value).origin === value;
}

export const A_FUNCTION: Check = { expected: 'a function', holds: isFunction };
export const AN_OBJECT: Check = { expected: 'an object', holds: isObject };
export const AN_ARRAY: Check = { expected: 'an array', holds: Array.isArray };
export const A_BOOLEAN: Check = {
  expected: 'true or false',
  holds: (value) => typeof value === 'boolean',
};

export const A_STRING: Check = {
  expected: 'a string',
  holds: (value) => typeof value === 'string',
};
