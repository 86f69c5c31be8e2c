import 'reflect-metadata';
import { Controller, Module, Post, type RawBodyRequest, Req, Res } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { createWebhookHandler } from 'ofage/server';

const webhooks = createWebhookHandler({
  secret: () => process.env['OFAGE_WEBHOOK_SECRET'] ?? '',
  onEvent: (event) => console.log(event.event, event.data.sessionId),
});

@Controller('webhooks')
export class WebhooksController {
  @Post('ofage')
  async receive(
    @Req() request: RawBodyRequest<FastifyRequest>,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const { method, headers, rawBody: body } = request;
    const answer = await webhooks.handle({ method, headers, body });
    reply.code(answer.status).headers(answer.headers).send();
  }
}

@Module({ controllers: [WebhooksController] })
export class AppModule {}

export function createApp(): Promise<NestFastifyApplication> {
  // Without rawBody, Nest keeps only the parsed object, which cannot be checked.
  return NestFactory.create<NestFastifyApplication>(AppModule, new FastifyAdapter(), {
    rawBody: true,
  });
}
