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
 * Checks options against their rules, and returns a copy.
 *
 * @param action - the call that received them, for the message
 * @throws an OfAgeError `invalid_option`
 */
export const parseOptions = <T extends object>(
  action: string,
  input: unknown,
  rules: Rules<T>,
): T => {
  const names = Object.keys(rules);
  if (input !== undefined && typeof input !== 'object') {
    refuse(`${action} takes an options object, got ${quote(input)}`);
  }
  const options = Object.assign({}, input) as Record<string, unknown>;
  // Detects a click event that was passed by mistake. Events of browsers, React and jQuery each have one of
  // these as an own property.
  if ('isTrusted' in options || 'originalEvent' in options) {
    refuse(`${action} got an event: use () => ofAge.verify() as the listener`);
  }
  for (const name of Object.keys(options)) {
    if (POLICY.indexOf(name) >= 0) {
      refuse(`${name} cannot be set in the browser: use the dashboard or your server`);
    }
    if (names.indexOf(name) < 0) {
      const place =
        (OPTION_RULES.hasOwnProperty(name) && 'new OfAge()') ||
        (CALL_RULES.hasOwnProperty(name) && 'verify()');
      refuse(
        place
          ? `${action} does not take ${name}: pass it to ${place}`
          : `${action} has no option ${quote(name)}; it has ${names.join(', ')}`,
      );
    }
    const value = options[name];
    const rule = rules[name as keyof typeof rules]; // checked above to be one of the names
    const isType = typeof rule === 'string';
    if (
      value === undefined ||
      (isType ? typeof value === rule : rule.indexOf(value as string) >= 0)
    )
      continue;
    const expected = isType ? 'a ' + rule : rule.map(quote).join(' or ');
    refuse(`${name} must be ${expected}, got ${quote(value)}`);
  }
  return options as T; // every name and value was checked
};

const refuse = (reason: string): never => fail('invalid_option', reason);
