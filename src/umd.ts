/** The script tag's global: window.OfAge is the constructor, and handleReturn() hangs on it. */

import { handleReturn } from './flows/return-page.ts';
import { OfAge, type OfAgeConstructor } from './of-age.ts';

const global: OfAgeConstructor & { handleReturn?: typeof handleReturn } = OfAge;
global.handleReturn = handleReturn;

export default global;
