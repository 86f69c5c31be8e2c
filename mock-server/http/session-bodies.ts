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

/** `POST /sessions/create` with a secret key. */
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

/** The same with a publishable key: what a browser says about policy is ignored, so it cannot be wrong either. */
export const browserCreateBody = v.object({
  ...createBody.entries,
  verificationMode: ignored,
  challengeAge: ignored,
  faceMatchEnabled: ignored,
});

/** `POST /sessions/validate`. */
export const validateBody = v.object({ sessionId: requiredText('sessionId') });
