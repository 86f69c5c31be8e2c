import {
  control,
  findSecret,
  payloadOf,
  readNow,
  sign,
  signatureOf,
  toText,
  withPayload,
  withSignature,
  type BrokenService,
} from './broken-service.ts';

/** The bodies and signatures of webhooks. */
export const PAYLOADS: readonly BrokenService[] = [
  {
    name: 'externalUserId null in webhooks',
    noticedBy: ['events.session-started', 'events.end.payload'],
    breaks: 'data has externalUserId only when it was provided (Webhook event envelope)',
    async send(request, next, world) {
      const payload = payloadOf(request);
      if (!payload['data']?.sessionId || payload['data'].externalUserId) return next(request);
      const data = { ...payload['data'], externalUserId: null };
      return next(await withPayload(request, { ...payload, data }, world));
    },
  },
  {
    name: 'a redelivered event gets a new eventId',
    noticedBy: ['webhooks.redelivery.same'],
    breaks: 'redelivery keeps eventId and body (Events, rule 6)',
    async send(request, next, world) {
      const payload = payloadOf(request);
      const { eventId, data } = payload;
      if (eventId === undefined) return next(request);
      const { items } = await control(world.service, `GET /deliveries?sessionId=${data.sessionId}`);
      const isRedelivered = (items ?? []).some(
        (each: Record<string, unknown>) =>
          each['eventId'] === eventId && each['url'] === request.url && each['redeliveries'] !== 0,
      );
      if (!isRedelivered) return next(request);
      const changed = { ...payload, eventId: crypto.randomUUID() };
      return next(await withPayload(request, changed, world));
    },
  },
  {
    name: 'timestamp of each attempt on completion events',
    noticedBy: ['webhooks.retries.same-bytes'],
    breaks: 'the timestamp of a completion is the creation of the event (Webhook event envelope)',
    async send(request, next, world) {
      const payload = payloadOf(request);
      if (!String(payload['event']).startsWith('verification.')) return next(request);
      const timestamp = await readNow(world.service);
      return next(await withPayload(request, { ...payload, timestamp }, world));
    },
  },
  {
    name: 'signature of JSON with escaped letters',
    noticedBy: ['webhooks.signature.bytes'],
    breaks: 'the signature is made from the raw body, also of one with é (Authentication 6)',
    async send(request, next, world) {
      const text = toText(request.body);
      const escaped = text.replaceAll(
        /[\u0080-\uffff]/g,
        (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`,
      );
      const secret = escaped === text ? undefined : await findSecret(request, world);
      if (secret === undefined) return next(request);
      return next(withSignature(request, await sign(secret, escaped)));
    },
  },
  {
    name: 'a signature without a secret',
    noticedBy: ['webhooks.signature.none'],
    breaks: 'requests are signed only when the endpoint has a secret (Authentication 6)',
    async send(request, next) {
      if (signatureOf(request) !== undefined) return next(request);
      return next(withSignature(request, await sign('', toText(request.body))));
    },
  },
  {
    name: 'signature stored with the event',
    noticedBy: ['webhooks.signature.retry.current-secret'],
    breaks: "redelivered events are signed with the endpoint's current secret (Authentication 6)",
    async send(request, next, { memory }) {
      const name = `${request.url} ${toText(request.body)}`;
      const signature = (memory.get(name) as string | undefined) ?? signatureOf(request);
      memory.set(name, signature);
      return next(withSignature(request, signature));
    },
  },
  {
    name: 'unsigned test events',
    noticedBy: ['webhooks.endpoints.test-event', 'webhooks.pause.resume.test-succeeds'],
    breaks: 'the test event that resumes an endpoint is signed (Events, rule 7)',
    async send(request, next) {
      return next(
        payloadOf(request)['test'] === true ? withSignature(request, undefined) : request,
      );
    },
  },
  {
    name: 'data.timestamp is the creation of the session',
    noticedBy: ['events.end.payload'],
    breaks: 'data.timestamp is when the underlying event occurred (Webhook event envelope)',
    async send(request, next, world) {
      const payload = payloadOf(request);
      if (!String(payload['event']).startsWith('verification.')) return next(request);
      const { sessionId } = payload['data'];
      const { createdAt } = await control(world.service, `GET /sessions/${sessionId}`);
      if (createdAt === undefined) return next(request);
      const data = { ...payload['data'], timestamp: createdAt };
      return next(await withPayload(request, { ...payload, data }, world));
    },
  },
  {
    name: 'no externalUserId in timeouts',
    noticedBy: ['events.timeout.payload'],
    breaks: 'all payloads carry externalUserId when it was provided (Events)',
    async send(request, next, world) {
      const payload = payloadOf(request);
      if (payload['event'] !== 'session.timeout') return next(request);
      const { externalUserId: _, ...data } = payload['data'];
      return next(await withPayload(request, { ...payload, data }, world));
    },
  },
];
