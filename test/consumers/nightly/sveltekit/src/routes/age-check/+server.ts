// src/routes/age-check/+server.ts
import { OFAGE_API_BASE, OFAGE_SECRET_KEY } from '$app/env/private';
import { createClient, grantsAccess, isOfAgeError } from 'ofage/server';

const client = createClient({
  // A function, because the build imports this file and may run without the key.
  secretKey: () => OFAGE_SECRET_KEY ?? '',
  baseUrl: OFAGE_API_BASE,
});

export async function POST({ request }: { request: Request }): Promise<Response> {
  const { sessionId } = (await request.json()) as { sessionId: string };
  return Response.json({ access: await isOldEnough(sessionId) });
}

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
