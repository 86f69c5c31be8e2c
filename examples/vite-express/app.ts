import express, { type ErrorRequestHandler } from 'express';
import {
  createClient,
  createWebhookHandler,
  deniesAccess,
  grantsAccess,
  isOfAgeError,
} from 'ofage/server';

// With several processes, also pass a resultStore that all share.
const ofAge = createClient({
  secretKey: () => process.env.OFAGE_SECRET_KEY ?? '',
  baseUrl: process.env.OFAGE_API_BASE, // the mock's address; unset in production
});

/** The customer who passed, by session ID. Use a table of your database instead. */
const passed = new Map<string, string>();

export async function isOldEnough(sessionId: string, customerId: string): Promise<boolean> {
  try {
    const result = await ofAge.validateOnce(sessionId); // asks the provider once per session
    if (grantsAccess(result, { externalUserId: customerId })) passed.set(sessionId, customerId);
  } catch (error) {
    // The session has expired or does not exist, or its webhook has already reported who passed.
    if (!deniesAccess(error) && !passed.has(sessionId)) throw error;
  }
  return passed.get(sessionId) === customerId;
}

const webhooks = createWebhookHandler({
  secret: () => process.env.OFAGE_WEBHOOK_SECRET ?? '',
  onEvent: ({ event, data: { sessionId, externalUserId = '' } }) => {
    console.log(event, sessionId);
    // The signature proves that this customer passed, even if the shopper does not come back.
    if (event === 'verification.completed') passed.set(sessionId, externalUserId);
  },
});

export const app = express();

// Register this before express.json(), because the signature covers the raw bytes.
app.post('/webhooks/ofage', express.raw({ type: '*/*', limit: '1mb' }), async (req, res) => {
  const { status, headers } = await webhooks.handle(req);
  res.status(status).set(headers).end();
});

// In place of customer-42, use the ID of the customer who is signed in.
app.post('/age-check', express.json(), async (req, res) => {
  const sessionId: unknown = req.body?.sessionId;
  if (typeof sessionId !== 'string') {
    res.status(400).json({ message: 'Send the sessionId in a body of type application/json' });
    return;
  }
  res.json({ access: await isOldEnough(sessionId, 'customer-42') });
});

/** Returns what is stored, for example for a page that was reloaded. */
app.get('/age-check/state', (_req, res) => {
  res.json({ access: [...passed.values()].includes('customer-42') });
});

// The page with the button, and the return page.
app.use(express.static('public', { extensions: ['html'] }));

// Express would respond with the status of the error. That of the kit is the provider's answer to you,
// for example 401 for a wrong key. That of a body parser is for the caller, for example 413.
const onError: ErrorRequestHandler = (error, _req, res, _next) => {
  console.error(error);
  res.status(isOfAgeError(error) ? 500 : (error.status ?? 500)).end();
};
app.use(onError);
