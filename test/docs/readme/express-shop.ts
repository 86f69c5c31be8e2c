import express from 'express';
import { createClient, createWebhookHandler, grantsAccess, isOfAgeError } from 'ofage/server';

const ofAge = createClient({
  secretKey: () => process.env.OFAGE_SECRET_KEY ?? '',
  baseUrl: process.env.OFAGE_API_BASE, // the mock's address; unset in production
});

/** Can be called only once per session, so store the result. */
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

const webhooks = createWebhookHandler({
  secret: () => process.env.OFAGE_WEBHOOK_SECRET ?? '',
  onEvent: ({ event, data }) => console.log(event, data.sessionId),
});

export const app = express();

// Register this before express.json(), because the signature covers the raw bytes.
app.post('/webhooks/ofage', express.raw({ type: '*/*' }), async (req, res) => {
  const { status, headers } = await webhooks.handle(req);
  res.status(status).set(headers).end();
});

app.post('/age-check', express.json(), async (req, res) => {
  // In place of customer-42, use the id of the customer who is signed in.
  res.json({ access: await isOldEnough(req.body?.sessionId, 'customer-42') });
});
