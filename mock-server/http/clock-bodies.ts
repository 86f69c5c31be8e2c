import * as v from 'valibot';
import { LAST_INSTANT_MS } from '../core/clock.ts';
import { requiredInstant } from '../rules/fields.ts';

/** `POST /clock/advance`. */
export const advanceBody = v.object({
  ms: v.pipe(
    v.number('ms must be an integer number'),
    v.integer('ms must be an integer number'),
    v.minValue(0, 'ms must not be less than 0'),
    v.maxValue(LAST_INSTANT_MS, `ms must not be greater than ${LAST_INSTANT_MS}`),
  ),
});

/** `POST /clock/set`. */
export const setBody = v.object({ now: requiredInstant('now') });
