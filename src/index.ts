/**
 * The browser SDK: sends a shopper to the hosted page and brings the result back.
 *
 * Written for every browser with ES2015 and `fetch`. The compiler translates newer syntax and adds no
 * polyfills, so the code uses `indexOf` instead of the `includes` of ES2016.
 *
 * @module ofage
 */
export { OfAge, OfAge as default, type OfAgeConstructor } from './of-age.ts';
export { VERSION } from './brand.ts';
export type { Language } from './language.ts';
export type { OfAgeOptions, VerifyOptions } from './options.ts';
export type { CancelledResult, CancelReason, CompletedResult, VerifyResult } from './outcome.ts';
export { handleReturn, type ReturnParameters } from './flows/return-page.ts';
export type { OfAgeErrorCode } from './error-codes.ts';
export { selfCheck, type PopupObstacle, type SelfCheck } from './self-check.ts';
export {
  isOfAgeError,
  OfAgeError,
  type OfAgeErrorDetails,
  type OfAgeErrorFields,
} from './errors.ts';
