// server/routes/webhooks/ofage.ts
import { defineHandler } from 'h3';
import { createWebhookHandler } from 'ofage/server';

const webhooks = createWebhookHandler({
  secret: () => process.env['OFAGE_WEBHOOK_SECRET'] ?? '',
  onEvent: (event) => console.log(event.event, event.data.sessionId),
});

// h3 1, as in Nitro 2 and Nuxt 4: defineEventHandler((event) => webhooks(toWebRequest(event)))
export default defineHandler((event) => webhooks(event.req));
