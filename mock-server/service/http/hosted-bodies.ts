import * as v from 'valibot';
import { choice, optionalChoice } from '../input/fields.ts';
import { SCENARIO_NAMES } from '../../api/scenarios.ts';

/** Body of `POST /outcome`: the choice in the sandbox's menu of outcomes. */
export const outcomeBody = v.object({ outcome: choice('outcome', SCENARIO_NAMES) });

/**
 * Body of `POST /submit`. With the mock, no image leaves the shopper's device. The page only reports the
 * image's quality.
 */
export const submitBody = v.object({
  imageQuality: optionalChoice('imageQuality', ['good', 'poor']),
});

/** Body of the other operations of the hosted page's API, which have no input. */
export const emptyBody = v.object({});
