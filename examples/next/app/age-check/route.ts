import { createClient, deniesAccess, grantsAccess } from 'ofage/server';

// With several processes, also pass a resultStore that all share.
const client = createClient({
  // A function, because `next build` imports this file and may run without the key.
  secretKey: () => process.env['OFAGE_SECRET_KEY'] ?? '',
  baseUrl: process.env['OFAGE_API_BASE'], // the mock's address; unset in production
});

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
