import { Hono } from 'hono';
import { createWebhookHandler } from 'ofage/server';

const webhooks = createWebhookHandler({
  secret: () => process.env['OFAGE_WEBHOOK_SECRET'] ?? '',
  onEvent: (event) => console.log(event.event, event.data.sessionId),
});

export const app = new Hono();

app.all('/webhooks/ofage', (c) => webhooks(c.req.raw));
