import { createClient, deniesAccess, grantsAccess, type ValidationResult } from 'ofage/server';

const ofAge = createClient({
  secretKey: () => process.env.OFAGE_SECRET_KEY ?? '',
  baseUrl: process.env.OFAGE_API_BASE, // the mock's address; unset in production
});

/** The results by session ID. Use a table of your database instead. */
const results = new Map<string, ValidationResult>();

export async function isOldEnough(sessionId: string, customerId: string): Promise<boolean> {
  try {
    // A session can be validated only once, so look at the stored results first.
    const result = results.get(sessionId) ?? (await ofAge.validateSession(sessionId));
    if (result.status !== 'pending') results.set(sessionId, result);
    return grantsAccess(result, { externalUserId: customerId });
  } catch (error) {
    if (deniesAccess(error)) return false; // the session has expired, or does not exist
    throw error;
  }
}
