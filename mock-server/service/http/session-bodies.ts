import * as v from 'valibot';
import {
  optionalChoice,
  optionalFlag,
  optionalNumber,
  optionalText,
  optionalUrl,
  requiredText,
  requiredUrl,
} from '../input/fields.ts';

/** Body of `POST /sessions/create` with a secret key. */
export const createBody = v.object({
  merchantId: optionalText('merchantId'),
  returnUrl: requiredUrl('returnUrl'),
  cancelUrl: optionalUrl('cancelUrl'),
  merchantName: optionalText('merchantName'),
  externalUserId: optionalText('externalUserId'),
  verificationMode: optionalChoice('verificationMode', ['L1', 'L2']),
  challengeAge: optionalNumber('challengeAge', 25, 99),
  faceMatchEnabled: optionalFlag('faceMatchEnabled'),
});

const ignored = v.pipe(
  v.unknown(),
  v.transform(() => null),
);

/**
 * Body of `POST /sessions/create` with a publishable key. Policy from a browser is ignored, so it is not
 * checked either.
 */
export const browserCreateBody = v.object({
  ...createBody.entries,
  verificationMode: ignored,
  challengeAge: ignored,
  faceMatchEnabled: ignored,
});

/** Body of `POST /sessions/validate`. */
export const validateBody = v.object({ sessionId: requiredText('sessionId') });
