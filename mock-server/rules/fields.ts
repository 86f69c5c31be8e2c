import * as v from 'valibot';
import { parseHttpUrl } from './allowed-domains.ts';

/** The fields of JSON bodies, with class-validator's sentences. `null` stands for "not given". */

export const requiredText = (name: string) =>
  v.pipe(v.string(whenMissing(name, `${name} must be a string`)), v.nonEmpty(notEmpty(name)));

export const requiredUrl = (name: string) =>
  v.pipe(
    v.string(whenMissing(name, isUrl(name))),
    v.nonEmpty(notEmpty(name)),
    v.check((text) => parseHttpUrl(text) !== null, isUrl(name)),
  );

export const optionalUrl = (name: string) =>
  v.nullish(
    v.pipe(
      v.string(isUrl(name)),
      v.check((text) => parseHttpUrl(text) !== null, isUrl(name)),
    ),
  );

export const optionalText = (name: string) => v.nullish(v.string(`${name} must be a string`));

export const optionalFlag = (name: string) =>
  v.nullish(v.boolean(`${name} must be a boolean value`));

export const optionalChoice = <const T extends readonly string[]>(name: string, values: T) =>
  v.nullish(choice(name, values));

export const choice = <const T extends readonly string[]>(name: string, values: T) =>
  v.picklist(values, `${name} must be one of the following values: ${values.join(', ')}`);

export const optionalNumber = (name: string, min: number, max: number) =>
  v.nullish(
    v.pipe(
      v.number(`${name} must be a number conforming to the specified constraints`),
      v.minValue(min, `${name} must not be less than ${min}`),
      v.maxValue(max, `${name} must not be greater than ${max}`),
    ),
  );

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

/** What is missing is empty, and besides not what it should be. */
function whenMissing(name: string, otherwise: string): (issue: v.BaseIssue<unknown>) => string {
  return ({ input }) => (input == null ? `${notEmpty(name)}\n${otherwise}` : otherwise);
}
