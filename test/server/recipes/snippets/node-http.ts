import { createServer } from 'node:http';
import { createWebhookHandler } from 'ofage/server';

const webhooks = createWebhookHandler({
  secret: () => process.env['OFAGE_WEBHOOK_SECRET'] ?? '',
  onEvent: (event) => console.log(event.event, event.data.sessionId),
});

export const server = createServer(async (request, response) => {
  if (request.url !== '/webhooks/ofage') return response.writeHead(404).end();
  const { method, headers } = request;
  const answer = await webhooks.handle({ method, headers, body: request });
  return response.writeHead(answer.status, answer.headers).end();
});
