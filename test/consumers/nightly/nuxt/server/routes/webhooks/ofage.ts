// server/routes/webhooks/ofage.ts
import { createWebhookHandler } from 'ofage/server';

const webhooks = createWebhookHandler({
  secret: () => process.env['OFAGE_WEBHOOK_SECRET'] ?? '',
  onEvent: (event) => console.log(event.event, event.data.sessionId),
});

export default defineEventHandler((event) => webhooks(toWebRequest(event)));
