import * as v from 'valibot';
import {
  optionalChoice,
  optionalFlag,
  optionalNumber,
  optionalText,
  optionalUrl,
  requiredText,
  requiredUrl,
} from '../rules/fields.ts';

/** `POST /sessions/create`. */
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

/** `POST /sessions/validate`. */
export const validateBody = v.object({ sessionId: requiredText('sessionId') });
