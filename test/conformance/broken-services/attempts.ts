import {
  control,
  isPost,
  payloadOf,
  readJson,
  type BrokenService,
  type Json,
} from './broken-service.ts';

const HOUR_S = 3600;
const TEN_MINUTES_MS = 600_000;

/** The attempts of webhooks: results, retries, redirects and addresses. */
export const ATTEMPTS: readonly BrokenService[] = [
  {
    name: 'Retry-After only on 429',
    noticedBy: ['webhooks.retries.retry-after.seconds'],
    breaks: 'Retry-After is honored on 429 and on 503 (Limits)',
    async send(request, next) {
      const result = await next(request);
      const isIgnored = result.kind === 'response' && result.status === 503;
      return isIgnored ? { ...result, retryAfter: null } : result;
    },
  },
  {
    name: 'a Retry-After above one hour is ignored',
    noticedBy: ['webhooks.retries.retry-after.longer'],
    breaks: 'Retry-After is honored up to one hour, so a longer one means one hour (Limits)',
    async send(request, next) {
      const result = await next(request);
      const isLong = result.kind === 'response' && Number(result.retryAfter) > HOUR_S;
      return isLong ? { ...result, retryAfter: null } : result;
    },
  },
  {
    name: 'session.started retried after 401',
    noticedBy: ['webhooks.retries.started.rejected'],
    breaks: '401 is not retried in-request (Webhook retry rules 3)',
    async send(request, next) {
      const result = await next(request);
      const isRejected = result.kind === 'response' && result.status === 401;
      if (!isRejected || payloadOf(request)['event'] !== 'session.started') return result;
      return { ...result, status: 500 };
    },
  },
  {
    name: 'a DNS failure counts as a rejection',
    noticedBy: ['webhooks.pause.failing.dns'],
    breaks: 'DNS failures pause an endpoint after 24 hours, not after one (Webhook retry rules 5)',
    async send(request, next) {
      const result = await next(request);
      if (result.kind !== 'failure' || result.error !== 'dns') return result;
      return { ...result, kind: 'refused', error: 'destination_not_public' };
    },
  },
  {
    name: 'an attempt times out after 10 seconds',
    noticedBy: ['webhooks.retries.attempt-timeout'],
    breaks: 'an attempt may take 15 seconds (Limits)',
    send: (request, next) => next({ ...request, timeoutMs: Math.min(request.timeoutMs, 10_000) }),
  },
  {
    name: 'queued events follow an edited URL',
    noticedBy: ['webhooks.endpoints.new-url.queued', 'webhooks.redelivery.original-url'],
    breaks: 'editing an endpoint does not redirect a queued event (Events, rule 4)',
    async send(request, next, { service }) {
      const { sessionId } = payloadOf(request)['data'] ?? {};
      if (sessionId === undefined) return next(request);
      const { items } = await control(service, `GET /deliveries?sessionId=${sessionId}`);
      const own = (items ?? []).find(
        (each: Json) => each['url'] === request.url && each['status'] === 'pending',
      );
      if (!own?.endpointId) return next(request);
      const { url } = await control(service, `GET /webhook-endpoints/${own.endpointId}`);
      return next({ ...request, url: url ?? request.url });
    },
  },
  {
    name: 'receivers must answer 200',
    noticedBy: ['webhooks.retries.accepted'],
    breaks: 'any 2xx response is a success (Webhook delivery; Limits)',
    async send(request, next) {
      const result = await next(request);
      const isOther = result.kind === 'response' && result.status > 200 && result.status < 300;
      return isOther ? { ...result, status: 500 } : result;
    },
  },
  {
    name: 'a Retry-After date is ignored',
    noticedBy: ['webhooks.retries.retry-after.date'],
    breaks: 'Retry-After, which may be a date in HTTP, is honored up to one hour (Limits)',
    async send(request, next) {
      const result = await next(request);
      const isDate = result.kind === 'response' && !/^\s*\d+\s*$/.test(result.retryAfter ?? '');
      return isDate ? { ...result, retryAfter: null } : result;
    },
  },
  {
    name: 'a completion event is retried for ever',
    noticedBy: ['webhooks.retries.completed.24-hours'],
    breaks: 'after 24 hours, a completion event is not sent again (Webhook retry rules 1)',
    send(request, next, { memory }) {
      memory.set('again', () => next(request));
      return next(request);
    },
    async fetch(request, next, memory) {
      const { ms } = await readJson(request);
      const response = await next(request);
      const again = memory.get('again') as (() => Promise<unknown>) | undefined;
      const isMove = isPost(request, '/control/v1/clock/advance');
      if (isMove && ms >= TEN_MINUTES_MS) await again?.();
      return response;
    },
  },
];
