import { fail } from './errors.ts';
import type { OfAgeOptions, VerifyOptions } from './options.ts';
import { quote } from './quote.ts';

/** The type of an option, or a list of its allowed values. */
type Rule = 'string' | 'boolean' | 'function' | readonly string[];

type Rules<T> = Record<keyof T & string, Rule>;

export const OPTION_RULES: Rules<OfAgeOptions> = {
  apiKey: 'string',
  returnUrl: 'string',
  cancelUrl: 'string',
  mode: ['redirect', 'new-tab'],
  newTabTarget: ['popup', 'tab'],
  language: 'string',
  environment: ['production', 'staging'],
  onComplete: 'function',
  onCancel: 'function',
  onError: 'function',
};

export const CALL_RULES: Rules<VerifyOptions> = {
  externalUserId: 'string',
  skipIntro: 'boolean',
  autoReturn: 'boolean',
  language: 'string',
};

/** Fields of a session that only the dashboard or the merchant's server may set. */
const POLICY = ['challengeAge', 'verificationMode', 'faceMatchEnabled'];

/**
 * Checks options against their rules. Returns a copy without a prototype, so that the SDK never reads an
 * option that a script of the page added to every object.
 *
 * @param action - the call that received the options, for the message
 * @throws an OfAgeError `invalid_option`
 */
export const parseOptions = <T extends object>(
  action: string,
  input: unknown,
  rules: Rules<T>,
): T => {
  const given = Object(input) as Record<string, unknown>;
  // An event that was passed by mistake. Events of browsers, React and jQuery each have one of these
  // properties.
  if ('isTrusted' in given || 'originalEvent' in given) {
    refuse(`${action} got an event: use () => ofAge.verify() as the listener`);
  }
  // Arrays, maps and dates are objects too, but their entries are not options.
  if (input !== undefined && {}.toString.call(input) !== '[object Object]') {
    refuse(`${action} takes an options object, got ${quote(input)}`);
  }
  const options = Object.create(null) as Record<string, unknown>;
  for (const name of Object.keys(given)) {
    if (!isName(name, rules)) return refuseName(action, name, rules);
    options[name] = checkValue(name, given[name], rules[name]);
  }
  return options as T;
};

const isName = <T>(name: string, rules: Rules<T>): name is keyof T & string =>
  rules.hasOwnProperty(name);

/** Says where an option belongs that the call does not take. */
function refuseName(action: string, name: string, rules: object): never {
  if (POLICY.indexOf(name) >= 0) {
    refuse(`${name} cannot be set in the browser: use the dashboard or your server`);
  }
  if (isName(name, OPTION_RULES)) refuse(`${action} does not take ${name}: pass it to new OfAge()`);
  if (isName(name, CALL_RULES)) refuse(`${action} does not take ${name}: pass it to verify()`);
  refuse(`${action} has no option ${quote(name)}; it has ${Object.keys(rules).join(', ')}`);
}

/** Returns the value if it is undefined or follows the rule. */
const checkValue = (name: string, value: unknown, rule: Rule): unknown => {
  if (value === undefined) return value;
  if (typeof rule === 'string') {
    return typeof value === rule ? value : refuseValue(name, 'a ' + rule, value);
  }
  const isListed = rule.indexOf(value as string) >= 0;
  return isListed ? value : refuseValue(name, rule.map(quote).join(' or '), value);
};

function refuseValue(name: string, expected: string, value: unknown): never {
  refuse(`${name} must be ${expected}, got ${quote(value)}`);
}

function refuse(reason: string): never {
  fail('invalid_option', reason);
}
