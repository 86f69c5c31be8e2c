// server/routes/webhooks/ofage.ts
import { defineHandler } from 'h3';
import { createWebhookHandler } from 'ofage/server';

const webhooks = createWebhookHandler({
  secret: () => process.env['OFAGE_WEBHOOK_SECRET'] ?? '',
  onEvent: (event) => console.log(event.event, event.data.sessionId),
});

export default defineHandler((event) => webhooks(event.req));
