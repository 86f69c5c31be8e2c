import { type Server, createServer } from 'node:http';
import { createAdaptorServer } from '@hono/node-server';
import type { INestApplication } from '@nestjs/common';
import { type WebhookEvent, createWebhookHandler } from 'ofage/server';
import { createLambdaServer } from './lambda-server.ts';
import { SECRET } from '../signed-request.ts';

/** Servers that run the recipes of docs/guides/webhooks.md unchanged, and one for h3 1. None listens yet. */
export const RECIPES: { name: string; open: () => Promise<Server> }[] = [
  {
    name: 'hono',
    open: async () => {
      const { app } = await import('./snippets/hono.ts');
      return createAdaptorServer({ fetch: app.fetch }) as Server;
    },
  },
  {
    name: 'next',
    open: async () => {
      const { POST } = await import('./snippets/next.ts');
      return createAdaptorServer({ fetch: POST }) as Server;
    },
  },
  {
    name: 'fetch',
    open: async () => {
      const { default: server } = await import('./snippets/fetch.ts');
      return createAdaptorServer({ fetch: (incoming) => server.fetch(incoming) }) as Server;
    },
  },
  {
    name: 'express',
    open: async () => createServer((await import('./snippets/express.ts')).app),
  },
  {
    name: 'fastify',
    open: async () => {
      const { app } = await import('./snippets/fastify.ts');
      await app.ready();
      return app.server;
    },
  },
  {
    name: 'koa',
    open: async () => createServer((await import('./snippets/koa.ts')).app.callback()),
  },
  { name: 'node-http', open: async () => (await import('./snippets/node-http.ts')).server },
  {
    name: 'nest-express',
    open: async () => openNest(await (await import('./snippets/nest-express.ts')).createApp()),
  },
  {
    name: 'nest-fastify',
    open: async () => {
      const app = await (await import('./snippets/nest-fastify.ts')).createApp();
      const server = await openNest(app);
      await app.getHttpAdapter().getInstance().ready();
      return server;
    },
  },
  {
    name: 'h3',
    open: async () => {
      const { default: route } = await import('./snippets/h3.ts');
      const { H3 } = await import('h3');
      const app = new H3().all('/webhooks/ofage', route);
      return createAdaptorServer({ fetch: app.fetch }) as Server;
    },
  },
  {
    name: 'h3, in version 1',
    open: async () => {
      const { createApp, eventHandler, toNodeListener, toWebRequest } = await import('h3-1');
      const webhooks = createWebhookHandler({ secret: SECRET, onEvent: report });
      const route = eventHandler((event) => webhooks(toWebRequest(event)));
      return createServer(toNodeListener(createApp().use('/webhooks/ofage', route)));
    },
  },
  ...(['1.0', '2.0'] as const).flatMap((format) =>
    [false, true].map((isBase64Encoded) => ({
      name: `lambda, format ${format}${isBase64Encoded ? ' in base64' : ''}`,
      open: async () => {
        const { handler } = await import('./snippets/lambda.ts');
        return createLambdaServer(handler, { format, isBase64Encoded });
      },
    })),
  ),
];

const report = ({ event, data }: WebhookEvent): void => console.log(event, data.sessionId);

async function openNest(app: INestApplication): Promise<Server> {
  app.useLogger(false);
  await app.init();
  return app.getHttpServer() as Server;
}
