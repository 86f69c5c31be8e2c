import { fail } from './errors.ts';
import type { OfAgeOptions, VerifyOptions } from './options.ts';
import { quote } from './quote.ts';

/** The range of a number, both ends included. */
interface Range {
  readonly min: number;
  readonly max: number;
}

/** The type of an option, a list of its allowed values, or the range of a whole number. */
type Rule = 'string' | 'boolean' | 'function' | readonly string[] | Range;

/** The rule that fits the type of an option, so that the compiler asks for the range of a number. */
type RuleOf<Value> = Value extends boolean
  ? 'boolean'
  : Value extends number
    ? Range
    : Value extends (...args: never) => unknown
      ? 'function'
      : string extends Value
        ? 'string'
        : readonly string[];

type Rules<T> = { readonly [Name in keyof T & string]-?: RuleOf<NonNullable<T[Name]>> };

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
  const isEvent = 'isTrusted' in given || 'originalEvent' in given;
  // Arrays, maps and dates are objects too, but their entries are not options.
  const isPlain = input === undefined || {}.toString.call(input) === '[object Object]';
  if (isEvent || !isPlain) {
    refuse(`${action} takes an object, got ${isEvent ? 'an event' : quote(input)}`);
  }
  const options = Object.create(null) as Record<string, unknown>;
  for (const name of Object.keys(given)) {
    const rule: Rule = rules.hasOwnProperty(name)
      ? rules[name as keyof T & string]
      : refuse(
          `${action} has no option ${quote(name)}, it has ${Object.keys(rules).join(', ')}; policy is set in the dashboard`,
        );
    const value = given[name];
    const expected = value === undefined ? '' : expectedBy(rule, value);
    if (expected) refuse(`${name} must be ${expected}, got ${quote(value)}`);
    options[name] = value;
  }
  return options as T;
};

/** Says what a rule expects instead of a value. Returns an empty string if the value is allowed. */
function expectedBy(rule: Rule, value: unknown): string {
  if (typeof rule === 'string') return typeof value === rule ? '' : 'a ' + rule;
  if ('min' in rule) {
    const { min, max } = rule;
    const isWhole = typeof value === 'number' && value % 1 === 0;
    return isWhole && value >= min && value <= max ? '' : `a whole number from ${min} to ${max}`;
  }
  return rule.indexOf(value as string) >= 0 ? '' : rule.map(quote).join(' or ');
}

function refuse(reason: string): never {
  fail('invalid_option', reason);
}
