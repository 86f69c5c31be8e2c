// server/routes/age-check.post.ts
import { createClient, grantsAccess, isOfAgeError } from 'ofage/server';

const client = createClient({
  secretKey: () => process.env['OFAGE_SECRET_KEY'] ?? '',
  baseUrl: process.env['OFAGE_API_BASE'], // the mock's address; unset in production
});

export default defineEventHandler(async (event) => {
  const { sessionId } = (await readBody(event)) as { sessionId: string };
  return { access: await isOldEnough(sessionId) };
});

async function isOldEnough(sessionId: string): Promise<boolean> {
  try {
    const result = await client.validateSession(sessionId);
    // In place of customer-42, use the id of the customer who is signed in.
    return grantsAccess(result, { externalUserId: 'customer-42' });
  } catch (error) {
    // The session has expired, was validated before, or does not exist.
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
