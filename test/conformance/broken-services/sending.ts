import type { WebhookRequest } from 'ofage-mock';
import {
  control,
  patchJson,
  pathOf,
  payloadOf,
  readJson,
  readNow,
  withBody,
  withPayload,
  type BrokenService,
  type Fetch,
  type Json,
} from './broken-service.ts';

const DELIVERED = {
  kind: 'response',
  status: 200,
  retryAfter: null,
  address: null,
  hops: 0,
} as const;

/** The bodies of webhooks, and the endpoints that get them. */
export const SENDING: readonly BrokenService[] = [
  {
    name: 'timestamp of a timeout event is the send time',
    noticedBy: ['webhooks.retries.timeout.timestamp'],
    breaks: 'the timestamp of a timeout delivery is the session deadline (Webhook event envelope)',
    async send(request, next, world) {
      const payload = payloadOf(request);
      if (payload['event'] !== 'session.timeout') return next(request);
      const timestamp = await readNow(world.service);
      return next(await withPayload(request, { ...payload, timestamp }, world));
    },
  },
  {
    name: "challengeAge of events is the account's policy",
    noticedBy: ['events.end.policy'],
    breaks: "events have the session's threshold, also one of a secret key (create, rule 2)",
    async send(request, next, world) {
      const payload = payloadOf(request);
      if (!String(payload['event']).startsWith('verification.')) return next(request);
      const { policy } = await control(world.service, `GET /tenants/${payload['tenantId']}`);
      const data = { ...payload['data'], challengeAge: policy.challengeAge };
      return next(await withPayload(request, { ...payload, data }, world));
    },
  },
  {
    name: 'any response to a test event resumes',
    noticedBy: ['webhooks.pause.resume.test-fails'],
    breaks: 'resuming requires a signed test event to succeed, that is 2xx (Events, rule 7)',
    async send(request, next) {
      const result = await next(request);
      const isTest = payloadOf(request)['test'] === true && result.kind === 'response';
      return isTest ? { ...result, status: 200 } : result;
    },
  },
  {
    name: 'endpoints with a pairId miss timeouts',
    noticedBy: ['webhooks.endpoints.pair.own'],
    breaks: "all events of the pair's sessions reach an endpoint with a pairId (Events, rule 1)",
    async send(request, next, { service }) {
      if (payloadOf(request)['event'] !== 'session.timeout') return next(request);
      const id = (await findDelivery(request, service))?.['endpointId'];
      const endpoint = id ? await control(service, `GET /webhook-endpoints/${id}`) : {};
      return endpoint['pairId'] ? DELIVERED : next(request);
    },
  },
  {
    name: 'disabling leaves queued retries',
    noticedBy: ['webhooks.endpoints.disabled.queued'],
    breaks: 'disabling an endpoint stops new events and queued retries (Webhook endpoint)',
    async fetch(request, next, memory) {
      const id = /\/webhook-endpoints\/([^/]+)$/.exec(pathOf(request))?.[1] ?? '';
      const { enabled, ...change } = request.method === 'PATCH' ? await readJson(request) : {};
      if (enabled === true) memory.delete(id);
      if (enabled !== false) {
        const response = await next(request);
        return memory.has(id) && response.status === 200
          ? patchJson(response, { enabled: false })
          : response;
      }
      // The endpoint stays enabled in the correct service, so that its queue goes on. `send` keeps its new
      // events from the receiver.
      const { items } = await control(next, `GET /deliveries?endpointId=${id}`);
      memory.set(id, new Set((items ?? []).map((each: Json) => each['id'])));
      return patchJson(await next(await withBody(request, change)), { enabled });
    },
    async send(request, next, { service, memory }) {
      const delivery = await findDelivery(request, service);
      const queued = memory.get(delivery?.['endpointId']) as Set<string> | undefined;
      return !delivery || !queued || queued.has(delivery['id']) ? next(request) : DELIVERED;
    },
  },
  {
    name: 'the query of a webhook URL is not sent',
    noticedBy: ['webhooks.endpoints.query'],
    breaks: 'ports, paths and query strings of destinations are allowed (Destination checks)',
    async send(request, next) {
      const url = new URL(request.url);
      if (url.search === '') return next(request);
      url.search = '';
      return next({ ...request, url: url.href });
    },
  },
];

async function findDelivery(request: WebhookRequest, service: Fetch): Promise<Json | undefined> {
  const { event, data } = payloadOf(request);
  const { items } = await control(service, `GET /deliveries?sessionId=${data?.sessionId}`);
  return (items ?? []).find(
    (each: Json) =>
      each['url'] === request.url && each['event'] === event && each['status'] === 'pending',
  );
}
