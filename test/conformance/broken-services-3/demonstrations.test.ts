import { expect, test } from 'vitest';
import { CREATE, payloadOf, VALIDATE, type Json } from '../broken-services/broken-service.ts';
import { BROKEN_SERVICES_3 } from './index.ts';
import { HOOK, MINUTE_MS, openStage, RETURN, statusOf, type Stage } from './stage.ts';

/** What the correct service and the broken one answer to the same calls. */
interface Demonstration {
  run(stage: Stage): Promise<unknown>;
  correct: unknown;
  broken: unknown;
}

const DEMONSTRATIONS: Record<string, Demonstration> = {
  'challengeAge must be below 99': {
    run: ({ call, secret }) =>
      statusOf(call(`POST ${CREATE}`, { ...RETURN, challengeAge: 99 }, secret)),
    correct: 201,
    broken: 400,
  },
  'L2 without a face match becomes L1': {
    async run({ create, call }) {
      const id = await create({ verificationMode: 'L2', faceMatchEnabled: false });
      return (await call(`GET /sessions/${id}`))['verificationMode'];
    },
    correct: 'L2',
    broken: 'L1',
  },
  'one override of a secret key replaces the whole policy': {
    async run({ call, create, tenant }) {
      await call(`PATCH ${tenant}`, { policy: { challengeAge: 30 } });
      const id = await create({ verificationMode: 'L2' });
      const { verificationMode, challengeAge } = await call(`GET /sessions/${id}`);
      return [verificationMode, challengeAge];
    },
    correct: ['L2', 30],
    broken: ['L2', 25],
  },
  'a browser may switch off the face match': {
    async run({ call, publishable }) {
      const body = { ...RETURN, faceMatchEnabled: false, challengeAge: 40 };
      return (await call(`POST ${CREATE}`, body, publishable))['faceMatchEnabled'];
    },
    correct: true,
    broken: false,
  },
  'externalUserId ignored with a publishable key': {
    async run({ call, publishable }) {
      const body = { ...RETURN, externalUserId: 'user-1' };
      return (await call(`POST ${CREATE}`, body, publishable))['externalUserId'];
    },
    correct: 'user-1',
    broken: null,
  },
  'the port is part of the allowed domain': {
    async run({ call, tenant, secret }) {
      await call(`PATCH ${tenant}`, { allowedDomains: ['shop.example'] });
      const urls = ['https://shop.example/', 'https://shop.example:8443/'];
      const statuses = urls.map((returnUrl) =>
        statusOf(call(`POST ${CREATE}`, { returnUrl }, secret)),
      );
      return Promise.all(statuses);
    },
    correct: [201, 201],
    broken: [201, 400],
  },
  'a revoked key gets 403': {
    async run({ call, tenant, publishable }) {
      const [pair] = (await call(`GET ${tenant}/key-pairs`))['items'];
      await call(`PATCH /keys/${pair.publishable.id}`, { status: 'revoked' });
      return statusOf(call(`POST ${CREATE}`, RETURN, publishable));
    },
    correct: 401,
    broken: 403,
  },
  'only the first characters of a key are compared': {
    run: ({ call, secret }) => statusOf(call(`POST ${CREATE}`, RETURN, `${secret}0`)),
    correct: 401,
    broken: 201,
  },
  'created sessions spend the limit of validate': {
    async run({ create, headers, secret }) {
      await create();
      await create();
      const body = { sessionId: crypto.randomUUID() };
      return (await headers(`POST ${VALIDATE}`, body, secret)).get('x-ratelimit-remaining');
    },
    correct: '99',
    broken: '97',
  },
  'X-RateLimit-Remaining still counts the present request': {
    run: async ({ headers, secret }) =>
      (await headers(`POST ${CREATE}`, RETURN, secret)).get('x-ratelimit-remaining'),
    correct: '299',
    broken: '300',
  },
  'the path of an error begins after the prefix': {
    run: async ({ call, secret }) => (await call(`POST ${CREATE}`, {}, secret))['path'],
    correct: CREATE,
    broken: '/sessions/create',
  },
  'unknown properties of validate are not named': {
    async run({ call, create, secret }) {
      const body = { sessionId: await create(), sessionToken: 'token' };
      return (await call(`POST ${VALIDATE}`, body, secret))['message'];
    },
    correct: ['property sessionToken should not exist'],
    broken: ['only sessionId is allowed'],
  },
  'accessGranted needs a face match': {
    async run(stage) {
      const { verified, accessGranted } = await validate(stage, { faceMatchEnabled: false });
      return [verified, accessGranted];
    },
    correct: [true, true],
    broken: [true, false],
  },
  'expiresAt counted from the completion': {
    async run(stage) {
      const created = await stage.now();
      const { expiresAt } = await validate(stage);
      return (Date.parse(expiresAt) - created) / MINUTE_MS;
    },
    correct: 10,
    broken: 13,
  },
  'receivers must answer 200': {
    async run(stage) {
      await stage.addEndpoint({ events: ['verification.completed'] });
      stage.receiver.status = 204;
      await stage.settle(await stage.create());
      await stage.advance(30 * MINUTE_MS);
      return stage.sent.length > 1 ? 'retried' : 'delivered';
    },
    correct: 'delivered',
    broken: 'retried',
  },
  'a Retry-After date is ignored': {
    async run(stage) {
      await stage.addEndpoint({ events: ['verification.completed'] });
      const date = new Date((await stage.now()) + 50 * MINUTE_MS).toUTCString();
      Object.assign(stage.receiver, { status: 503, retryAfter: date });
      await stage.settle(await stage.create());
      await stage.advance(40 * MINUTE_MS);
      return stage.sent.length > 1 ? 'retried' : 'waiting';
    },
    correct: 'waiting',
    broken: 'retried',
  },
  'the query of a webhook URL is not sent': {
    async run(stage) {
      await stage.addEndpoint({ url: `${HOOK}?shop=1`, events: ['session.started'] });
      await stage.create();
      await stage.advance(1000);
      return stage.sent.map(({ url }) => url);
    },
    correct: [`${HOOK}?shop=1`],
    broken: [HOOK],
  },
  'webhook URLs must use port 443': {
    run: ({ addEndpoint }) => statusOf(addEndpoint({ url: 'https://hooks.example:8443/a' })),
    correct: 201,
    broken: 400,
  },
  'data.timestamp is the creation of the session': {
    async run(stage) {
      const created = await stage.now();
      await stage.addEndpoint({ events: ['verification.completed'] });
      await validate(stage);
      await stage.advance(1000);
      return stage.sent.map(
        (request) => (Date.parse(payloadOf(request)['data'].timestamp) - created) / MINUTE_MS,
      );
    },
    correct: [3],
    broken: [0],
  },
  'no externalUserId in timeouts': {
    async run(stage) {
      await stage.addEndpoint();
      await stage.create({ externalUserId: 'user-1' });
      await stage.advance(11 * MINUTE_MS);
      return stage.sent.map((request) => payloadOf(request)['data'].externalUserId);
    },
    correct: ['user-1', 'user-1'],
    broken: ['user-1', undefined],
  },
};

/** Validates a session that was verified after three minutes. */
async function validate({ call, create, advance, settle, secret }: Stage, body: Json = {}) {
  const sessionId = await create(body);
  await advance(3 * MINUTE_MS);
  await settle(sessionId);
  return call(`POST ${VALIDATE}`, { sessionId }, secret);
}

test.for(BROKEN_SERVICES_3)('$name', async (broken) => {
  const demonstration = DEMONSTRATIONS[broken.name]!;
  const correct = { name: 'correct', breaks: '' };
  expect(await demonstration.run(await openStage(correct))).toEqual(demonstration.correct);
  expect(await demonstration.run(await openStage(broken))).toEqual(demonstration.broken);
});
