import * as v from 'valibot';
import { choice, optionalChoice } from '../input/fields.ts';
import { SCENARIO_NAMES } from '../sessions/scenarios.ts';

/** `POST /outcome`: what the sandbox's chooser stands on. */
export const outcomeBody = v.object({ outcome: choice('outcome', SCENARIO_NAMES) });

/** `POST /submit`: no image leaves the shopper's device for a mock; it is told how good it was. */
export const submitBody = v.object({
  imageQuality: optionalChoice('imageQuality', ['good', 'poor']),
});

/** `POST` to everything else. */
export const emptyBody = v.object({});
