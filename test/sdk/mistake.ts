import { type OfAgeErrorCode } from 'ofage';

export const GOOD = { apiKey: 'pk_test_123', returnUrl: 'https://shop.example/return' };

export interface Mistake {
  readonly mistake: string;
  /** The value that the developer passes. */
  readonly given: unknown;
  readonly code: OfAgeErrorCode;
  /** The expected message, without the link at its end. */
  readonly says: string;
  readonly why: string;
}

export const link = (code: string): string => `. See https://docs.ofage.example/errors#${code}`;

export const URL_FORM = 'must be an absolute URL without spaces or credentials';
export const SCHEMES = 'must use https:, or http: on localhost or 127.0.0.1';
export const KEY = 'apiKey must start with "pk_" and be ASCII without spaces';
export const OPTIONS =
  'apiKey, returnUrl, cancelUrl, mode, newTabTarget, language, environment, onComplete, onCancel, onError';
export const CALL_OPTIONS = 'externalUserId, skipIntro, autoReturn, language';
