import * as v from 'valibot';
import { requiredText } from '../rules/fields.ts';

/** `POST /clock/advance`. */
export const advanceBody = v.object({
  ms: v.pipe(
    v.number('ms must be an integer number'),
    v.integer('ms must be an integer number'),
    v.minValue(0, 'ms must not be less than 0'),
  ),
});

/** `POST /clock/set`. */
export const setBody = v.object({
  now: v.pipe(
    requiredText('now'),
    v.check((text) => !Number.isNaN(Date.parse(text)), 'now must be a valid ISO 8601 date string'),
  ),
});
