// src/routes/webhooks/ofage/+server.ts
import { OFAGE_WEBHOOK_SECRET } from '$app/env/private';
import { createWebhookHandler } from 'ofage/server';

const webhooks = createWebhookHandler({
  secret: () => OFAGE_WEBHOOK_SECRET ?? '',
  onEvent: (event) => console.log(event.event, event.data.sessionId),
});

export const POST = ({ request }: { request: Request }): Promise<Response> => webhooks(request);
