import type { ServiceOptions } from './service-options.ts';

/**
 * Checks each option, for callers that do not use TypeScript.
 * @throws {TypeError} which names the option, what it must be, and the value
 */
export function checkOptions(options: ServiceOptions): void {
  const given: unknown = options;
  if (!isObject(given)) throw wrong('its options', 'an object', given);
  checkEach(options, OPTIONS, '');
  if (options.clock !== undefined) checkEach(options.clock, CLOCK, 'clock.');
}

/** The rule for one option. */
interface Check {
  readonly expected: string;
  holds(value: unknown): boolean;
}

function checkEach(
  values: object,
  checks: Readonly<Record<string, Check>>,
  path: '' | 'clock.',
): void {
  for (const [name, value] of Object.entries(values)) {
    const check = Object.hasOwn(checks, name) ? checks[name] : undefined;
    if (!check) {
      const known = Object.keys(checks).map((one) => path + one);
      throw new TypeError(
        `Cannot create the service: there is no option "${path}${name}"; the options are ${known.join(', ')}`,
      );
    }
    if (value !== undefined && !check.holds(value)) throw wrong(path + name, check.expected, value);
  }
}

function wrong(name: string, expected: string, value: unknown): TypeError {
  return new TypeError(
    `Cannot create the service: ${name} must be ${expected}, got ${describe(value)}`,
  );
}

/** Formats a value for a message; objects and functions by their kind only. */
function describe(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value);
  if (typeof value === 'function') return 'a function';
  if (Array.isArray(value)) return 'an array';
  return isObject(value) ? 'an object' : String(value);
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isFunction = (value: unknown): boolean => typeof value === 'function';

const hasMethods =
  (...names: readonly string[]) =>
  (value: unknown): boolean =>
    isObject(value) && names.every((name) => isFunction(value[name]));

function isOrigin(value: unknown): boolean {
  if (typeof value !== 'string' || !URL.canParse(value)) return false;
  return /^https?:/.test(value) && new URL(value).origin === value;
}

function isPageUrl(value: unknown): boolean {
  // Parameters are appended to the end, where a fragment would hide them.
  return typeof value === 'string' && /^https?:\/\/[^#]+$/i.test(value) && URL.canParse(value);
}

const A_FUNCTION: Check = { expected: 'a function', holds: isFunction };
const AN_OBJECT: Check = { expected: 'an object', holds: isObject };
const AN_ARRAY: Check = { expected: 'an array', holds: Array.isArray };
const A_BOOLEAN: Check = {
  expected: 'true or false',
  holds: (value) => typeof value === 'boolean',
};

const OPTIONS: Readonly<Record<keyof Required<ServiceOptions>, Check>> = {
  log: {
    expected: 'a log, as createIndexedDbLog() makes one',
    holds: hasMethods('commit', 'close'),
  },
  // assertOptions() checks the range.
  seed: { expected: 'a number', holds: (value) => typeof value === 'number' },
  apiOrigin: { expected: 'an origin such as "https://api.ofage.example"', holds: isOrigin },
  verifyUrl: {
    expected: 'an http or https URL without fragment, such as "https://verify.ofage.example/"',
    holds: isPageUrl,
  },
  tenant: AN_OBJECT,
  tenants: AN_ARRAY,
  endpoints: AN_ARRAY,
  clock: AN_OBJECT,
  allowLoopbackWebhooks: {
    expected: 'true, false or an array of origins such as "http://localhost:3000"',
    holds: (value) => typeof value === 'boolean' || (Array.isArray(value) && value.every(isOrigin)),
  },
  resolve: A_FUNCTION,
  mac: A_FUNCTION,
  sender: { expected: 'an object with a method send()', holds: hasMethods('send') },
  pollMs: {
    expected: 'an integer from 0 up',
    holds: (value) => Number.isSafeInteger(value) && Number(value) >= 0,
  },
  realClock: {
    expected: 'an object with the methods now() and wakeAt()',
    holds: hasMethods('now', 'wakeAt'),
  },
  onError: A_FUNCTION,
};

const CLOCK: Readonly<Record<keyof Required<NonNullable<ServiceOptions['clock']>>, Check>> = {
  now: {
    // assertOptions() checks the range.
    expected: 'a Date or milliseconds since the epoch',
    holds: (value) => typeof value === 'number' || value instanceof Date,
  },
  frozen: A_BOOLEAN,
};
