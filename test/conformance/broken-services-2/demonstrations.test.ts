import { createMockService, type WebhookRequest } from 'ofage/mock';
import { expect, test } from 'vitest';
import {
  breakService,
  CREATE,
  payloadOf,
  readJson,
  sign,
  signatureOf,
  toText,
  VALIDATE,
  type BrokenService,
  type Fetch,
  type Json,
} from '../broken-services/broken-service.ts';
import { BROKEN_SERVICES_2 } from './index.ts';

const RETURN = { returnUrl: 'http://localhost:3000/return' };
const HOOK = 'https://hooks.example/a';
const SECRET = 'whsec_demonstration';
const MINUTE_MS = 60_000;

interface Stage {
  sent: WebhookRequest[];
  /** The status with which receivers answer. */
  receiver: { status: number };
  tenant: string;
  publishable: string;
  secret: string;
  /** Calls the API or the control API, and returns the body with the status. */
  call(route: string, body?: Json, key?: string): Promise<Json>;
  headers(route: string, body: Json, key: string): Promise<Headers>;
  create(body?: Json, key?: string): Promise<string>;
  settle(sessionId: string): Promise<unknown>;
  advance(ms: number): Promise<unknown>;
}

async function openStage(broken: BrokenService): Promise<Stage> {
  const sent: WebhookRequest[] = [];
  const receiver = { status: 200 };
  const { service, fetch } = breakService(broken, {
    sender: {
      async send(request) {
        sent.push(request);
        const { status } = receiver;
        return { kind: 'response', status, retryAfter: null, address: null, hops: 0 };
      },
    },
    create: (sender) =>
      createMockService({
        clock: { frozen: true },
        sender,
        resolve: async () => ['93.184.216.34'],
      }),
  });
  const { tenantId, publishableKey, secretKey } = await service.ready;
  const ask = (route: string, body?: Json, key?: string): ReturnType<Fetch> => {
    const [method = '', path = ''] = route.split(' ');
    const headers = new Headers({ 'content-type': 'application/json' });
    if (key) headers.set('authorization', `Bearer ${key}`);
    const init = body ? { method, headers, body: JSON.stringify(body) } : { method, headers };
    const url = `http://localhost${path.startsWith('/api/') ? '' : '/control/v1'}${path}`;
    return fetch(new Request(url, init));
  };
  const call: Stage['call'] = async (...options) => {
    const response = await ask(...options);
    return { ...(await readJson(response)), httpStatus: response.status };
  };
  return {
    sent,
    receiver,
    tenant: `/tenants/${tenantId}`,
    publishable: publishableKey!,
    secret: secretKey!,
    call,
    headers: async (...options) => (await ask(...options)).headers,
    async create(body = {}, key = secretKey!) {
      return (await call(`POST ${CREATE}`, { ...RETURN, ...body }, key))['sessionId'];
    },
    settle: (sessionId) => service.control.settle(sessionId, 'verified'),
    // Without a step of the clock, webhooks that are due are not sent.
    advance: (ms) => service.clock.advance(ms),
  };
}

async function addEndpoint({ call, tenant }: Stage, body: Json = {}): Promise<string> {
  const input = { url: HOOK, secret: SECRET, ...body };
  return (await call(`POST ${tenant}/webhook-endpoints`, input))['id'];
}

/** Pauses the endpoint, which must reject its requests for an hour. */
async function pauseEndpoint(stage: Stage): Promise<void> {
  stage.receiver.status = 401;
  for (let count = 0; count < 12; count++) {
    await stage.create();
    await stage.advance(10 * MINUTE_MS);
  }
}

/** What the correct service and the broken one answer to the same calls. */
interface Demonstration {
  run(stage: Stage): Promise<unknown>;
  correct: unknown;
  broken: unknown;
}

const DEMONSTRATIONS: Record<string, Demonstration> = {
  'only the last of equal query parameters is kept': {
    async run({ create, call }) {
      const id = await create({ returnUrl: 'http://localhost/?tag=a&tag=b&x=1' });
      return (await call(`GET /sessions/${id}`))['returnUrl'];
    },
    correct: 'http://localhost/?tag=a&tag=b&x=1',
    broken: 'http://localhost/?tag=b&x=1',
  },
  'an empty merchantId counts as absent': {
    run: ({ call, secret }) =>
      statusOf(call(`POST ${CREATE}`, { ...RETURN, merchantId: '' }, secret)),
    correct: 400,
    broken: 201,
  },
  'a publishable key needs its secret key': {
    async run({ call, tenant, publishable }) {
      const [pair] = (await call(`GET ${tenant}/key-pairs`))['items'];
      await call(`PATCH /keys/${pair.secret.id}`, { status: 'revoked' });
      return statusOf(call(`POST ${CREATE}`, RETURN, publishable));
    },
    correct: 201,
    broken: 503,
  },
  'sandboxMode cached for each account': {
    async run({ call, tenant, secret }) {
      await call(`POST ${CREATE}`, RETURN, secret);
      await call(`PATCH ${tenant}`, { sandboxMode: false });
      return (await call(`POST ${CREATE}`, RETURN, secret))['sandboxMode'];
    },
    correct: false,
    broken: true,
  },
  'challengeAge converted from a string': {
    run: ({ call, secret }) =>
      statusOf(call(`POST ${CREATE}`, { ...RETURN, challengeAge: '30' }, secret)),
    correct: 400,
    broken: 201,
  },
  'unknown properties ignored with a publishable key': {
    run: ({ call, publishable }) =>
      statusOf(call(`POST ${CREATE}`, { ...RETURN, ageLimit: 30 }, publishable)),
    correct: 400,
    broken: 201,
  },
  'a refused validation of another account uses the session': {
    async run({ call, create, settle, secret }) {
      const { id } = await call('POST /tenants', { name: 'Other shop' });
      let [pair] = (await call(`GET /tenants/${id}/key-pairs`))['items'];
      pair ??= await call(`POST /tenants/${id}/key-pairs`, {});
      const sessionId = await create();
      await settle(sessionId);
      const other = await statusOf(call(`POST ${VALIDATE}`, { sessionId }, pair.secret.value));
      return [other, await statusOf(call(`POST ${VALIDATE}`, { sessionId }, secret))];
    },
    correct: [403, 200],
    broken: [403, 400],
  },
  'testMode at validate follows sandboxMode': {
    async run({ call, create, settle, secret }) {
      const sessionId = await create();
      await settle(sessionId);
      return (await call(`POST ${VALIDATE}`, { sessionId }, secret))['testMode'];
    },
    correct: false,
    broken: true,
  },
  'the path of an error includes the query': {
    run: async ({ call, secret }) => (await call(`POST ${CREATE}?trace=1`, {}, secret))['path'],
    correct: CREATE,
    broken: `${CREATE}?trace=1`,
  },
  'X-RateLimit-Retry-After is the whole window': {
    async run({ call, headers, advance, tenant, secret }) {
      await call(`PATCH ${tenant}`, { rateLimits: { validate: 1 } });
      const body = { sessionId: crypto.randomUUID() };
      await call(`POST ${VALIDATE}`, body, secret);
      await advance(20_000);
      return (await headers(`POST ${VALIDATE}`, body, secret)).get('x-ratelimit-retry-after');
    },
    correct: '40',
    broken: '60',
  },
  'timestamp of a timeout event is the send time': {
    async run(stage) {
      await addEndpoint(stage, { events: ['session.timeout'] });
      stage.receiver.status = 500;
      await stage.create();
      await stage.advance(12 * MINUTE_MS);
      const timestamps = stage.sent.map((request) => payloadOf(request)['timestamp']);
      const isSigned = stage.sent.map(
        async (each) => signatureOf(each) === (await sign(SECRET, toText(each.body))),
      );
      return {
        isRetried: timestamps.length > 1,
        isStable: new Set(timestamps).size === 1,
        isSigned: (await Promise.all(isSigned)).every(Boolean),
      };
    },
    correct: { isRetried: true, isStable: true, isSigned: true },
    broken: { isRetried: true, isStable: false, isSigned: true },
  },
  "challengeAge of events is the account's policy": {
    async run(stage) {
      await addEndpoint(stage, { events: ['verification.completed'] });
      await stage.settle(await stage.create({ challengeAge: 40 }));
      await stage.advance(1000);
      return stage.sent.map((request) => payloadOf(request)['data'].challengeAge);
    },
    correct: [40],
    broken: [25],
  },
  'any response to a test event resumes': {
    async run(stage) {
      const id = await addEndpoint(stage);
      await pauseEndpoint(stage);
      return (await stage.call(`POST /webhook-endpoints/${id}/resume`))['resumed'];
    },
    correct: false,
    broken: true,
  },
  'endpoints with a pairId miss timeouts': {
    async run(stage) {
      const [{ pairId }] = (await stage.call(`GET ${stage.tenant}/key-pairs`))['items'];
      await addEndpoint(stage, { pairId });
      await stage.create();
      await stage.advance(11 * MINUTE_MS);
      return kindsOf(stage);
    },
    correct: ['session.started', 'session.timeout'],
    broken: ['session.started'],
  },
  'disabling leaves queued retries': {
    async run(stage) {
      const id = await addEndpoint(stage, { events: ['verification.completed'] });
      stage.receiver.status = 500;
      await stage.settle(await stage.create());
      await stage.advance(0);
      stage.receiver.status = 200;
      const change = await stage.call(`PATCH /webhook-endpoints/${id}`, { enabled: false });
      const first = stage.sent.length;
      await stage.settle(await stage.create());
      await stage.advance(30 * MINUTE_MS);
      return { first, enabled: change['enabled'], later: stage.sent.length - first };
    },
    correct: { first: 1, enabled: false, later: 0 },
    broken: { first: 1, enabled: false, later: 1 },
  },
  'redelivery without a limit': {
    async run(stage) {
      await stage.call(`PATCH ${stage.tenant}`, { rateLimits: { create: 1000 } });
      const id = await addEndpoint(stage, { events: ['session.started'] });
      await pauseEndpoint(stage);
      for (let count = 0; count < 500; count++) await stage.create();
      stage.receiver.status = 200;
      await stage.call(`POST /webhook-endpoints/${id}/resume`);
      const { queued } = await stage.call(`POST /webhook-endpoints/${id}/redeliver`);
      return queued;
    },
    correct: 500,
    broken: 512,
  },
  'redelivery repeats delivered events': {
    async run(stage) {
      const id = await addEndpoint(stage, { events: ['session.started'] });
      await stage.create({ externalUserId: 'delivered' });
      await stage.advance(1000);
      stage.receiver.status = 401;
      await stage.create({ externalUserId: 'missed' });
      await stage.advance(MINUTE_MS);
      stage.receiver.status = 200;
      await stage.create({ externalUserId: 'recovered' });
      await stage.advance(MINUTE_MS);
      stage.sent.length = 0;
      await stage.call(`POST /webhook-endpoints/${id}/redeliver`);
      await stage.advance(MINUTE_MS);
      return stage.sent.map((request) => payloadOf(request)['data'].externalUserId);
    },
    correct: ['missed'],
    broken: ['missed', 'delivered', 'recovered'],
  },
  'migration makes a new secret': {
    async run(stage) {
      const legacy = { url: HOOK, secret: SECRET, events: ['session.started'] };
      await stage.call(`PUT ${stage.tenant}/legacy-webhook`, legacy);
      await stage.call(`POST ${stage.tenant}/legacy-webhook/migrate`);
      await stage.create();
      await stage.advance(1000);
      const [request] = stage.sent;
      return signatureOf(request!) === (await sign(SECRET, toText(request!.body)));
    },
    correct: true,
    broken: false,
  },
  'the legacy webhook gets every kind of event': {
    async run(stage) {
      const legacy = { url: HOOK, secret: SECRET, events: ['verification.completed'] };
      const { events } = await stage.call(`PUT ${stage.tenant}/legacy-webhook`, legacy);
      await stage.settle(await stage.create());
      await stage.advance(1000);
      return { events, sent: kindsOf(stage) };
    },
    correct: { events: ['verification.completed'], sent: ['verification.completed'] },
    broken: {
      events: ['verification.completed'],
      sent: ['session.started', 'verification.completed'],
    },
  },
  'the legacy webhook counts as an endpoint': {
    async run(stage) {
      await stage.call(`PUT ${stage.tenant}/legacy-webhook`, { url: HOOK });
      const statuses = [];
      for (let count = 0; count < 21; count++) {
        statuses.push(
          await statusOf(stage.call(`POST ${stage.tenant}/webhook-endpoints`, { url: HOOK })),
        );
      }
      return statuses.filter((status) => status === 201).length;
    },
    correct: 20,
    broken: 19,
  },
};

async function statusOf(answer: Promise<Json>): Promise<number> {
  return (await answer)['httpStatus'];
}

function kindsOf({ sent }: Stage): string[] {
  return sent.map((request) => payloadOf(request)['event']);
}

test.for(BROKEN_SERVICES_2)('$name', async (broken) => {
  const demonstration = DEMONSTRATIONS[broken.name]!;
  const correct = { name: 'correct', breaks: '' };
  expect(await demonstration.run(await openStage(correct))).toEqual(demonstration.correct);
  expect(await demonstration.run(await openStage(broken))).toEqual(demonstration.broken);
});
