import Koa from 'koa';
import { createWebhookHandler } from 'ofage/server';

const webhooks = createWebhookHandler({
  secret: () => process.env['OFAGE_WEBHOOK_SECRET'] ?? '',
  onEvent: (event) => console.log(event.event, event.data.sessionId),
});

export const app = new Koa();

// Register this before koa-bodyparser, because the handler reads the request stream itself.
app.use(async (ctx, next) => {
  if (ctx.path !== '/webhooks/ofage') return next();
  const { method, headers, req: body } = ctx;
  const answer = await webhooks.handle({ method, headers, body });
  ctx.status = answer.status;
  ctx.set(answer.headers);
});
