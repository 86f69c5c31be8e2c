import { createClient, grantsAccess, isOfAgeError } from 'ofage/server';

const ofAge = createClient({
  secretKey: () => process.env.OFAGE_SECRET_KEY ?? '',
  baseUrl: process.env.OFAGE_API_BASE, // the mock's address; unset in production
});

/** Works only once per session, so store the result. */
export async function isOldEnough(sessionId: string, customerId: string): Promise<boolean> {
  try {
    const result = await ofAge.validateSession(sessionId);
    return grantsAccess(result, { externalUserId: customerId });
  } catch (error) {
    // The session has expired, was validated before, or never existed.
    if (isOfAgeError(error) && NO_ACCESS.includes(error.code)) return false;
    throw error;
  }
}

const NO_ACCESS = [
  'session_expired',
  'session_already_used',
  'session_not_found',
  'session_id_invalid',
];
