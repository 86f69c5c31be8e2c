import type { WebhookRequest } from 'ofage-mock';
import {
  control,
  patchJson,
  pathOf,
  payloadOf,
  readJson,
  readNow,
  withBody,
  withJson,
  type BrokenService,
  type Json,
} from './broken-service.ts';

const CONTENT_TYPE = { 'content-type': 'application/json; charset=utf-8' };
const EVERY_KIND = [
  'session.started',
  'verification.completed',
  'verification.failed',
  'verification.cancelled',
  'session.timeout',
];

/** Redelivery, the legacy webhook and the limits of endpoints. */
export const DASHBOARD: readonly BrokenService[] = [
  {
    name: 'redelivery without a limit',
    noticedBy: ['webhooks.redelivery.batch'],
    breaks: 'a redelivery has up to 500 events (Events, rule 6; Webhook retry rules 7)',
    async fetch(request, next) {
      const response = await next(request);
      if (!pathOf(request).endsWith('/redeliver') || response.status >= 300) return response;
      let { queued, remaining } = await readJson(response);
      while (remaining > 0) {
        const more = await readJson(await next(request));
        if (!more['queued']) break;
        queued += more['queued'];
        remaining = more['remaining'];
      }
      return patchJson(response, { queued, remaining });
    },
  },
  {
    name: 'redelivery repeats delivered events',
    noticedBy: ['webhooks.redelivery.only-undelivered'],
    breaks: 'redelivery sends undelivered events only (Events, rule 6)',
    async fetch(request, next, memory) {
      const response = await next(request);
      const id = /\/webhook-endpoints\/([^/]+)\/redeliver$/.exec(pathOf(request))?.[1];
      if (!id || response.status >= 300) return response;
      const { url } = await control(next, `GET /webhook-endpoints/${id}`);
      memory.set(`repeat ${url}`, true);
      return response;
    },
    async send(request, next, { memory }) {
      const result = await next(request);
      const delivered = (memory.get(request.url) ?? []) as WebhookRequest[];
      // The redelivered events go first, and the others follow them.
      if (memory.delete(`repeat ${request.url}`)) {
        for (const { signal: _, ...earlier } of delivered) await next(earlier);
      }
      const isEvent = payloadOf(request)['test'] === false && result.kind === 'response';
      if (isEvent && result.status >= 200 && result.status < 300) {
        memory.set(request.url, [...delivered, request]);
      }
      return result;
    },
  },
  {
    name: 'migration makes a new secret',
    noticedBy: ['webhooks.legacy.migrated'],
    breaks: 'migration preserves URL, secret and events (Webhook endpoint)',
    async fetch(request, next) {
      const response = await next(request);
      if (!pathOf(request).endsWith('/legacy-webhook/migrate')) return response;
      const { id, hasSecret } = await readJson(response);
      if (hasSecret) await control(next, `POST /webhook-endpoints/${id}/rotate-secret`);
      return response;
    },
  },
  {
    name: 'the legacy webhook gets every kind of event',
    noticedBy: ['webhooks.legacy.subscribed'],
    breaks: 'an event goes to those that are subscribed to its kind (Events, rule 1)',
    async fetch(request, next, memory) {
      const path = pathOf(request);
      if (!/\/legacy-webhook(\/migrate)?$/.test(path)) return next(request);
      const tenantPath = path.replace(/\/legacy-webhook.*/, '');
      const body = await readJson(request);
      const isSet = request.method === 'PUT' && Array.isArray(body['events']);
      const wider = isSet ? await withBody(request, { ...body, events: EVERY_KIND }) : request;
      const response = await next(wider);
      if (response.status >= 300) return response;
      if (request.method === 'PUT') memory.set(tenantPath, body['events'] ?? EVERY_KIND);
      const events = memory.get(tenantPath);
      if (events === undefined || response.status === 204) return response;
      if (path.endsWith('/migrate')) {
        const { id } = await readJson(response);
        await control(next, `PATCH /webhook-endpoints/${id}`, { events } as Json);
      }
      return patchJson(response, { events });
    },
  },
  {
    name: 'the legacy webhook counts as an endpoint',
    noticedBy: ['webhooks.legacy.beside-twenty'],
    breaks: 'an account may have 20 endpoints, beside its legacy webhook (Webhook endpoint)',
    async fetch(request, next) {
      const path = pathOf(request);
      const tenantId = /\/tenants\/([^/]+)\/webhook-endpoints$/.exec(path)?.[1];
      if (!tenantId || request.method !== 'POST') return next(request);
      const { hasLegacyWebhook } = await control(next, `GET /tenants/${tenantId}`);
      const { items } = await control(next, `GET /tenants/${tenantId}/webhook-endpoints`);
      if (!hasLegacyWebhook || items.length !== 19) return next(request);
      const body = {
        statusCode: 400,
        message: 'An account can have at most 20 webhook endpoints',
        timestamp: await readNow(next),
        path,
        error: 'Bad Request',
      };
      return withJson(new Response(null, { headers: CONTENT_TYPE }), body, 400);
    },
  },
];
