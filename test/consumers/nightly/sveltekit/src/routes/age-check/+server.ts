// src/routes/age-check/+server.ts
import { OFAGE_API_BASE, OFAGE_SECRET_KEY } from '$app/env/private';
import { createClient, deniesAccess, grantsAccess } from 'ofage/server';

// With several processes, also pass a resultStore that all share.
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
    const result = await client.validateOnce(sessionId); // asks the provider once per session
    // In place of customer-42, use the id of the customer who is signed in.
    return grantsAccess(result, { externalUserId: 'customer-42' });
  } catch (error) {
    if (deniesAccess(error)) return false; // the session has expired, or does not exist
    throw error;
  }
}
