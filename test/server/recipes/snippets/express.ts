import express from 'express';
import { createWebhookHandler } from 'ofage/server';

const webhooks = createWebhookHandler({
  secret: () => process.env['OFAGE_WEBHOOK_SECRET'] ?? '',
  onEvent: (event) => console.log(event.event, event.data.sessionId),
});

export const app = express();

// Register this before express.json(), because the first parser consumes the body.
app.post('/webhooks/ofage', express.raw({ type: '*/*', limit: '1mb' }), async (req, res) => {
  const { status, headers } = await webhooks.handle(req);
  res.status(status).set(headers).end();
});

app.use(express.json());
