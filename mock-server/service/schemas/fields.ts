import * as v from 'valibot';
import { parseHttpUrl } from '../../rules/allowed-domains.ts';
import { ONE_LINE } from '../../store/safe-text.ts';
import { INSTANT_PATTERN, parseInstant } from '../../store/instant.ts';

// Schemas for the fields of JSON bodies, with messages in the style of class-validator. Null counts as
// absent.

export const requiredText = (name: string) =>
  v.pipe(v.string(whenMissing(name, `${name} must be a string`)), v.nonEmpty(notEmpty(name)));

/** Returns the action that refuses line breaks and control characters. */
export const inOneLine = (name: string) =>
  v.regex<string, string>(ONE_LINE, `${name} must not contain line breaks or control characters`);

export const requiredLine = (name: string) => v.pipe(requiredText(name), inOneLine(name));

export const optionalLine = (name: string) =>
  v.nullish(v.pipe(v.string(`${name} must be a string`), inOneLine(name)));

/**
 * The pattern of an http or https URL that all parsers read in the same way. The URL parser drops tabs and
 * line breaks, turns \ into / and adds a missing //. Other parsers do not, and a page with the same scheme
 * reads `https:shop.example` as a relative URL.
 */
const COMPLETE_URL =
  // oxlint-disable-next-line no-control-regex -- the pattern matches control characters
  /^[Hh][Tt][Tt][Pp][Ss]?:\/\/[^\x00-\x20\x7f\\?#]+([?#][^\x00-\x20\x7f]*)?$/;

export const requiredUrl = (name: string) =>
  v.pipe(
    v.string(whenMissing(name, isUrl(name))),
    v.nonEmpty(notEmpty(name)),
    v.url(isUrl(name)),
    v.regex(COMPLETE_URL, whyNotUrl(name)),
  );

export const optionalUrl = (name: string) =>
  v.nullish(
    v.pipe(v.string(isUrl(name)), v.url(isUrl(name)), v.regex(COMPLETE_URL, whyNotUrl(name))),
  );

/** Returns the schema of a date, or of a date and time with its zone. */
export const requiredInstant = (name: string) =>
  v.pipe(
    v.string(isInstant(name)),
    v.regex(INSTANT_PATTERN, isInstant(name)),
    v.check((text) => parseInstant(text) !== null, isInstant(name)),
  );

export const optionalText = (name: string) => v.nullish(v.string(`${name} must be a string`));

export const optionalFlag = (name: string) =>
  v.nullish(v.boolean(`${name} must be a boolean value`));

export const optionalChoice = <const T extends readonly string[]>(name: string, values: T) =>
  v.nullish(choice(name, values));

export const choice = <const T extends readonly string[]>(name: string, values: T) =>
  v.picklist(values, `${name} must be one of the following values: ${values.join(', ')}`);

const optionalNumber = (name: string, min: number, max: number) =>
  v.nullish(
    v.pipe(
      v.number(`${name} must be a number conforming to the specified constraints`),
      v.minValue(min, `${name} must not be less than ${min}`),
      v.maxValue(max, `${name} must not be greater than ${max}`),
    ),
  );

export const optionalMode = (name: string) => optionalChoice(name, ['L1', 'L2']);

/** An age threshold. Years. The range is specified. */
export const optionalAge = (name: string) => optionalNumber(name, 25, 99);

export const optionalInteger = (name: string, min: number, max: number) =>
  v.nullish(
    v.pipe(
      v.number(`${name} must be an integer number`),
      v.integer(`${name} must be an integer number`),
      v.minValue(min, `${name} must not be less than ${min}`),
      v.maxValue(max, `${name} must not be greater than ${max}`),
    ),
  );

const notEmpty = (name: string): string => `${name} should not be empty`;

const isUrl = (name: string): string => `${name} must be a URL address`;

function isInstant(name: string): (issue: v.BaseIssue<unknown>) => string {
  return ({ input }) =>
    `${name} must be a date, or a date and time with its zone, such as 2026-01-31T12:00:00Z${typeof input === 'string' ? `, got "${input}"` : ''}`;
}

function whyNotUrl(name: string): (issue: v.BaseIssue<unknown>) => string {
  return ({ input }) =>
    parseHttpUrl(String(input)) === null
      ? isUrl(name)
      : `${name} must be a complete URL such as https://shop.example/return, with // after the scheme and without spaces, control characters or backslashes before the query`;
}

/**
 * Returns the message for an invalid value. For a missing value, it is preceded by the message that the
 * field is empty.
 */
function whenMissing(name: string, otherwise: string): (issue: v.BaseIssue<unknown>) => string {
  return ({ input }) => (input == null ? `${notEmpty(name)}\n${otherwise}` : otherwise);
}

export const filterText = (name: string) => v.optional(v.string(`${name} must be a string`));

export const filterFlag = (name: string) => v.optional(v.boolean(`${name} must be true or false`));

export const filterInteger = (name: string, min: number, max: number) => {
  const message = `${name} must be an integer from ${min} to ${max}`;
  return v.optional(
    v.pipe(
      v.number(message),
      v.integer(message),
      v.minValue(min, message),
      v.maxValue(max, message),
    ),
  );
};

/** Maximum number of items to list. Over HTTP, a page has its own maximum. */
export const limit = filterInteger('limit', 1, Number.MAX_SAFE_INTEGER);
