import 'reflect-metadata';
import { Controller, Module, Post, type RawBodyRequest, Req, Res } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Request, Response } from 'express';
import { createWebhookHandler } from 'ofage/server';

const webhooks = createWebhookHandler({
  secret: () => process.env['OFAGE_WEBHOOK_SECRET'] ?? '',
  onEvent: (event) => console.log(event.event, event.data.sessionId),
});

@Controller('webhooks')
export class WebhooksController {
  @Post('ofage')
  async receive(@Req() request: RawBodyRequest<Request>, @Res() response: Response): Promise<void> {
    const { method, headers, rawBody: body } = request;
    const answer = await webhooks.handle({ method, headers, body });
    response.status(answer.status).set(answer.headers).end();
  }
}

@Module({ controllers: [WebhooksController] })
export class AppModule {}

export async function createApp(): Promise<NestExpressApplication> {
  // Without rawBody, Nest keeps only the parsed object, which cannot be checked.
  const app = await NestFactory.create<NestExpressApplication>(AppModule, { rawBody: true });
  app.useBodyParser('json', { limit: '1mb' });
  return app;
}
