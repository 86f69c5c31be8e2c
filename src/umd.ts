/**
 * Defines the script tag's global. window.OfAge is the constructor, and the package's other exports are its
 * properties.
 */

import { isOfAgeError, OfAgeError } from './errors.ts';
import { handleReturn } from './flows/return-page.ts';
import { OfAge } from './of-age.ts';
import { selfCheck } from './self-check.ts';

export default Object.assign(OfAge, { handleReturn, selfCheck, isOfAgeError, OfAgeError });
