import express from 'express';
import { createWebhookHandler } from 'ofage/server';

const webhooks = createWebhookHandler({
  secret: () => process.env['OFAGE_WEBHOOK_SECRET'] ?? '',
  onEvent: (event) => console.log(event.event, event.data.sessionId),
});

export const app = express();

// WRONG: this parses every body, so the route below no longer gets the raw bytes.
app.use(express.json());

app.post('/webhooks/ofage', express.raw({ type: '*/*' }), async (req, res) => {
  const { status, headers } = await webhooks.handle(req);
  res.status(status).set(headers).end(); // 500, and body_not_raw in the log
});
