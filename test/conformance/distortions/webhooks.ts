import type { WebhookRequest, WebhookResult } from 'ofage-mock';
import { answered } from '../../support/a-mock.ts';
import { payloadOf, signatureOf, withSignature } from '../broken-services/broken-service.ts';
import type { Distortion } from './distortion.ts';

/** Returns a sender that tells the service another result. */
const result = (name: string, change: (result: WebhookResult) => WebhookResult): Distortion => ({
  name,
  send: async (request, next) => change(await next(request)),
});

const isSuccess = (one: WebhookResult): boolean =>
  one.kind === 'response' && one.status >= 200 && one.status < 300;

/** Webhooks with one wrong part, or sent at a wrong time. */
export const WEBHOOKS: readonly Distortion[] = [
  { name: 'webhooks are not sent', send: async () => answered(204) },
  {
    name: 'webhooks are sent twice',
    async send(request, next) {
      await next(request);
      return next(request);
    },
  },
  {
    name: 'webhooks are sent to every endpoint',
    async send(request, next, { urls }) {
      for (const url of urls) if (url !== request.url) await next({ ...request, url });
      return next(request);
    },
  },
  {
    name: 'webhooks are not signed',
    send: (request, next) => next(withSignature(request, undefined)),
  },
  {
    name: 'webhooks are signed with another secret',
    send: (request, next) => next(withSignature(request, `sha256=${'0'.repeat(64)}`)),
  },
  {
    name: 'signatures are in upper case',
    send: (request, next) => next(withSignature(request, signatureOf(request)?.toUpperCase())),
  },
  {
    name: 'webhooks are text',
    send: (request, next) =>
      next({ ...request, headers: { ...request.headers, 'content-type': 'text/plain' } }),
  },
  {
    name: 'webhooks are sent to the origin',
    send: (request, next) =>
      next({ ...request, url: /^.*?\/check-\d+/.exec(request.url)?.[0] ?? request.url }),
  },
  {
    name: 'no event is a test',
    send: (request, next) => next(withPayload(request, { ...payloadOf(request), test: false })),
  },
  result('every failure counts as a success', () => answered(204)),
  result('every success counts as a failure', (one) => (isSuccess(one) ? answered(500) : one)),
  result('Retry-After is ignored', (one) =>
    one.kind === 'response' ? { ...one, retryAfter: null } : one,
  ),
  result('refused redirects count as a success', (one) =>
    one.kind === 'refused' ? answered(204) : one,
  ),
  result('attempts without a response count as a success', (one) =>
    one.kind === 'failure' ? answered(204) : one,
  ),
  result('failures count as rejections', (one) => (isSuccess(one) ? one : answered(410))),
  result('rejections count as failures', (one) => (isSuccess(one) ? one : answered(500))),
];

const FIELDS = [
  'timestamp',
  'tenantId',
  'test',
  'eventId',
  'data.timestamp',
  'data.verificationMode',
  'data.challengeAge',
  'data.externalUserId',
  'data.verified',
  'data.reason',
  'data.expiresAt',
];

function withPayload(request: WebhookRequest, payload: object): WebhookRequest {
  return { ...request, body: new TextEncoder().encode(JSON.stringify(payload)) };
}

/** Webhooks with one wrong part of their body. They are not signed again. */
export const PAYLOADS: readonly Distortion[] = [
  ...FIELDS.map((path): Distortion => ({
    name: `webhook .${path}`,
    send(request, next) {
      const payload = payloadOf(request);
      const [name = '', inner] = path.split('.');
      const value = inner === undefined ? null : { ...payload[name], [inner]: null };
      return next(withPayload(request, { ...payload, [name]: value }));
    },
  })),
  {
    name: 'webhooks repeat keys and tokens',
    send: (request, next, { texts }) =>
      next(withPayload(request, { ...payloadOf(request), seen: texts.join('\n') })),
  },
];
