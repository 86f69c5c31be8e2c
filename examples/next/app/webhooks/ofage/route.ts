import { createWebhookHandler } from 'ofage/server';

const webhooks = createWebhookHandler({
  // A function, because `next build` imports this file and may run without the secret.
  secret: () => process.env['OFAGE_WEBHOOK_SECRET'] ?? '',
  onEvent: (event) => console.log(event.event, event.data.sessionId),
});

export const POST = (request: Request): Promise<Response> => webhooks(request);
