import express from 'express';
import { createWebhookHandler } from 'ofage/server';

const webhooks = createWebhookHandler({
  secret: process.env['OFAGE_WEBHOOK_SECRET'] ?? '',
  onEvent: (event) => console.log(event.event, event.data.sessionId),
});

export const app = express();

// WRONG: parses every body, so that the bytes are gone when the route below asks for them.
app.use(express.json());

app.post('/webhooks/ofage', express.raw({ type: '*/*' }), async (req, res) => {
  const { status, headers } = await webhooks.handle(req);
  res.status(status).set(headers).end(); // 500, and body_not_raw in the log
});
