import Fastify from 'fastify';
import { createWebhookHandler } from 'ofage/server';

const webhooks = createWebhookHandler({
  secret: () => process.env['OFAGE_WEBHOOK_SECRET'] ?? '',
  onEvent: (event) => console.log(event.event, event.data.sessionId),
});

export const app = Fastify();

// A separate scope, so that the rest of the app keeps its JSON parser.
app.register(async (scope) => {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => {
    done(null, body);
  });
  scope.post<{ Body: Buffer }>('/webhooks/ofage', async (request, reply) => {
    const { status, headers } = await webhooks.handle(request);
    return reply.code(status).headers(headers).send();
  });
});
