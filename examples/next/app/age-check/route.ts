import { createClient, deniesAccess, grantsAccess, type Client } from 'ofage/server';

// Next.js runs this file again after an edit. A new client would not have the results of the old one, so
// that a question about an earlier session would fail with session_already_used.
const kept = globalThis as typeof globalThis & { ofAgeClient?: Client };
// With several processes, also pass a resultStore that all share.
kept.ofAgeClient ??= createClient({
  // A function, because `next build` imports this file and may run without the key.
  secretKey: () => process.env['OFAGE_SECRET_KEY'] ?? '',
  baseUrl: process.env['OFAGE_API_BASE'], // the mock's address; unset in production
});
const client = kept.ofAgeClient;

export async function POST(request: Request): Promise<Response> {
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
