import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { createMockService } from 'ofage/mock/node';
import { BROKEN_SERVICES, breakService, type BrokenService } from './index.ts';
import { createWorld, OK, respond, type World } from './world.ts';

const HOUR_MS = 3_600_000;
const CORRECT: BrokenService = { name: 'correct', breaks: 'nothing' };

/** One act for each broken service, with the result at the correct and at the broken service. */
type Demonstration = [act: (world: World) => Promise<unknown>, correct: unknown, broken: unknown];

const DEMONSTRATIONS: Record<string, Demonstration> = {
  'x-api-key only on create': [
    async ({ call, create, secretKey }) => {
      const { sessionId } = (await create()).body;
      const headers = { 'x-api-key': secretKey };
      return (await call('POST /api/v1/sessions/validate', { sessionId }, headers)).status;
    },
    200,
    401,
  ],
  'merchantId compared without case': [
    async ({ create, tenantId }) => (await create({ merchantId: tenantId.toUpperCase() })).status,
    400,
    201,
  ],
  'session looked up before the kind of key': [
    async ({ validate, publishableKey }) =>
      (await validate(crypto.randomUUID(), publishableKey)).status,
    401,
    404,
  ],
  'malformed JSON answered with HTML': [
    async ({ call, withKey, secretKey }) => {
      const answer = await call('POST /api/v1/sessions/create', '{"a', withKey(secretKey));
      return [answer.status, answer.body['statusCode']];
    },
    [400, 400],
    [400, undefined],
  ],
  'CORS headers only on success': [
    async ({ create, publishableKey }) => {
      const headers = { origin: 'https://shop.example' };
      const answer = await create({ returnUrl: 'https://evil.test/' }, publishableKey, headers);
      return answer.headers.get('access-control-allow-origin');
    },
    'https://shop.example',
    null,
  ],
  'a rate limit for each key': [
    async ({ service, create, tenantId, publishableKey }) => {
      await service.control.updateTenant(tenantId, { rateLimits: { create: 1 } });
      await create();
      return [(await create()).status, (await create({}, publishableKey)).status];
    },
    [429, 429],
    [429, 201],
  ],
  'no rate-limit headers on 401': [
    async ({ create }) => (await create({}, 'sk_unknown')).headers.get('x-ratelimit-window'),
    '60',
    null,
  ],
  'X-RateLimit-Limit is a constant': [
    async ({ service, create, tenantId }) => {
      await service.control.updateTenant(tenantId, { rateLimits: { create: 7 } });
      return (await create()).headers.get('x-ratelimit-limit');
    },
    '7',
    '300',
  ],
  'a browser may raise the age': [
    async ({ create, validate, publishableKey }) => {
      const { sessionId } = (await create({ challengeAge: 40 }, publishableKey)).body;
      return (await validate(sessionId)).body['challengeAge'];
    },
    25,
    40,
  ],
  'externalUserId trimmed': [
    async ({ create }) => (await create({ externalUserId: ' u ' })).body['externalUserId'],
    ' u ',
    'u',
  ],
  'expiresAt rounded up to a full minute': [
    async ({ create }) => (await create()).body['expiresAt'],
    '2030-01-01T12:10:20.250Z',
    '2030-01-01T12:11:00.000Z',
  ],
  'billingBlock is null': [
    async ({ create }) => (await create()).body['billingBlock'],
    undefined,
    null,
  ],
  'faceMatchEnabled false not stored': [
    async ({ create, validate }) => {
      const { body } = await create({ faceMatchEnabled: false });
      const { faceMatchEnabled } = (await validate(body['sessionId'])).body;
      return [body['faceMatchEnabled'], faceMatchEnabled];
    },
    [false, false],
    [false, true],
  ],
  'allowed domains match any suffix': [
    async ({ create }) => (await create({ returnUrl: 'https://evilshop.example/' })).status,
    400,
    201,
  ],
  'every host that begins with localhost': [
    async ({ create }) => (await create({ returnUrl: 'https://localhost.evil.test/' })).status,
    400,
    201,
  ],
  'a failed result can be read again': [
    async ({ settled, validate }) => {
      const id = await settled('failed_age_not_met');
      return [(await validate(id)).status, (await validate(id)).status];
    },
    [200, 400],
    [200, 200],
  ],
  'five seconds of grace after the expiry': [
    async ({ service, create, validate }) => {
      const { sessionId } = (await create()).body;
      await service.clock.advance(604_999);
      return (await validate(sessionId)).status;
    },
    400,
    200,
  ],
  'timestamp of the validation': [
    async ({ service, settled, validate }) => {
      const id = await settled('verified');
      await service.clock.advance(4000);
      return (await validate(id)).body['timestamp'];
    },
    '2030-01-01T12:00:20.250Z',
    '2030-01-01T12:00:25.250Z',
  ],
  "challengeAge of the account's present policy": [
    async ({ service, settled, validate, tenantId }) => {
      const id = await settled('verified');
      await service.control.updateTenant(tenantId, { policy: { challengeAge: 50 } });
      return (await validate(id)).body['challengeAge'];
    },
    25,
    50,
  ],
  'parallel validations all succeed': [
    async ({ settled, validate }) => {
      const id = await settled('verified');
      const answers = await Promise.all([validate(id), validate(id)]);
      return answers.map(({ status }) => status).toSorted();
    },
    [200, 400],
    [200, 200],
  ],
  'a late cancellation replaces the result': [
    async ({ service, call, create, validate, withKey }) => {
      const { sessionId, sessionToken } = (await create()).body;
      await service.control.settle(sessionId, 'verified');
      await call('POST /hosted/v1/cancel', {}, withKey(sessionToken));
      return (await validate(sessionId)).body['status'];
    },
    'verified',
    'cancelled',
  ],
  'a session of another account is not found': [
    async ({ service, create, validate }) => {
      const { id } = await service.control.createTenant({ name: 'Other shop' });
      const pair = await service.control.createKeyPair(id);
      return (await validate((await create()).body['sessionId'], pair.secret.value)).status;
    },
    403,
    404,
  ],
  'externalUserId null in webhooks': [
    async (world) => {
      await world.settled('verified');
      const delivery = world.last('verification.completed')!;
      return ['externalUserId' in delivery.payload['data'], world.isSigned(delivery)];
    },
    [false, true],
    [true, true],
  ],
  'a redelivered event gets a new eventId': [
    async (world) => {
      const { service, receiver, received, settled } = world;
      receiver.answer = async () => respond(503);
      const sessionId = await settled('verified');
      const { id } = await world.endpoint();
      await service.clock.advance(25 * HOUR_MS);
      receiver.answer = async () => OK;
      await service.control.resumeEndpoint(id);
      await service.control.redeliver(id);
      await service.clock.advance(HOUR_MS);
      const own = received.filter(
        ({ payload }) =>
          payload['event'] === 'verification.completed' && payload['data'].sessionId === sessionId,
      );
      const ids = new Set(own.map(({ payload }) => payload['eventId']));
      return [ids.size, world.isSigned(own.at(-1)!)];
    },
    [1, true],
    [2, true],
  ],
  'timestamp of each attempt on completion events': [
    async (world) => {
      world.receiver.answer = async () => respond(500);
      await world.settled('verified');
      await world.service.clock.advance(60_000);
      const own = world.received.filter(({ payload }) => payload['eventId']);
      return new Set(own.map(({ payload }) => payload['timestamp'])).size > 1;
    },
    false,
    true,
  ],
  'signature of JSON with escaped letters': [
    async (world) => {
      await world.settled('verified', { externalUserId: 'café' });
      return world.isSigned(world.last('verification.completed')!);
    },
    true,
    false,
  ],
  'a signature without a secret': [
    async (world) => {
      const { id } = await world.endpoint();
      await world.service.control.updateEndpoint(id, { secret: null });
      await world.settled('verified');
      const delivery = world.last('verification.completed')!;
      return [
        delivery.request.headers['x-ofage-signature'] === undefined,
        world.isSigned(delivery, ''),
      ];
    },
    [true, false],
    [false, true],
  ],
  'signature stored with the event': [
    async (world) => {
      world.receiver.answer = async () => respond(500);
      await world.settled('verified');
      const { secret } = await world.service.control.rotateSecret((await world.endpoint()).id);
      world.receiver.answer = async () => OK;
      await world.service.clock.advance(HOUR_MS);
      return world.isSigned(world.last('verification.completed')!, secret!);
    },
    true,
    false,
  ],
  'unsigned test events': [
    async (world) => {
      await world.service.control.testEndpoint((await world.endpoint()).id);
      return world.isSigned(world.received[0]!);
    },
    true,
    false,
  ],
  'Retry-After only on 429': [(world) => retriesWithin(world, '1800', 1_700_000), false, true],
  'a Retry-After above one hour is ignored': [
    (world) => retriesWithin(world, '3601', 3_500_000),
    false,
    true,
  ],
  'session.started retried after 401': [
    async (world) => {
      world.receiver.answer = async () => respond(401);
      await world.create();
      await world.service.clock.advance(60_000);
      return world.received.length > 1;
    },
    false,
    true,
  ],
  'a DNS failure counts as a rejection': [
    async (world) => {
      world.receiver.answer = async () => ({
        kind: 'failure',
        error: 'dns',
        address: null,
        hops: 0,
      });
      await world.settled('verified');
      await world.service.clock.advance(3 * HOUR_MS);
      return (await world.endpoint()).health.state === 'paused';
    },
    false,
    true,
  ],
  'an attempt times out after 10 seconds': [
    async (world) => {
      await world.settled('verified');
      return world.last('verification.completed')!.request.timeoutMs;
    },
    15_000,
    10_000,
  ],
  'queued events follow an edited URL': [
    async (world) => {
      world.receiver.answer = async () => respond(500);
      await world.settled('verified');
      const url = 'https://hooks.example/b';
      await world.service.control.updateEndpoint((await world.endpoint()).id, { url });
      await world.service.clock.advance(60_000);
      return world.last('verification.completed')!.request.url;
    },
    'https://hooks.example/a',
    'https://hooks.example/b',
  ],
  'resuming resends past events': [
    async (world) => {
      world.receiver.answer = async () => respond(404);
      await world.settled('verified');
      await world.service.clock.advance(3 * HOUR_MS);
      world.receiver.answer = async () => OK;
      const before = world.received.length;
      await world.call(`POST /control/v1/webhook-endpoints/${(await world.endpoint()).id}/resume`);
      await world.service.clock.advance(HOUR_MS);
      return world.received.length - before > 1;
    },
    false,
    true,
  ],
  'pairId stored but not applied': [
    async (world) => {
      const { pairId } = await world.service.control.createKeyPair(world.tenantId);
      const input = { url: 'https://hooks.example/pair', pairId };
      const { body } = await world.call(endpointsOf(world), input);
      await world.settled('verified');
      const urls = world.received.map(({ request }) => request.url);
      return [body['pairId'] === pairId, urls.includes(input.url)];
    },
    [true, false],
    [true, true],
  ],
  'failures include cancellations': [
    async (world) => {
      const input = { url: 'https://hooks.example/failed', events: ['verification.failed'] };
      const { body } = await world.call(endpointsOf(world), input);
      await world.settled('cancelled');
      const urls = world.received.map(({ request }) => request.url);
      return [body['events'], urls.includes(input.url)];
    },
    [['verification.failed'], false],
    [['verification.failed'], true],
  ],
  'IPv4 addresses inside IPv6 are accepted': [
    async (world) =>
      (await world.call(endpointsOf(world), { url: 'https://[::ffff:10.0.0.1]/' })).status,
    400,
    201,
  ],
};

function endpointsOf({ tenantId }: World): string {
  return `POST /control/v1/tenants/${tenantId}/webhook-endpoints`;
}

/** Tells whether the service sends again within this time, although Retry-After is longer. */
async function retriesWithin(world: World, retryAfter: string, ms: number): Promise<boolean> {
  world.receiver.answer = async () => respond(503, retryAfter);
  await world.settled('verified');
  await world.service.clock.advance(ms);
  // Both events of the session may be sent before the first answer arrives.
  return world.received.length > 2;
}

describe('every broken service answers or sends differently', () => {
  it('has a demonstration', () => {
    const names = BROKEN_SERVICES.map(({ name }) => name);
    expect(names).toHaveLength(40);
    expect(names.toSorted()).toEqual([...Object.keys(DEMONSTRATIONS), REDIRECT].toSorted());
  });

  it.each(Object.entries(DEMONSTRATIONS))('%s', async (name, [act, correct, broken]) => {
    for (const [wrapper, expected] of [
      [CORRECT, correct],
      [find(name), broken],
    ] as const) {
      const world = await createWorld(wrapper);
      expect(await act(world), wrapper.name).toEqual(expected);
      await world.service.close();
    }
  });
});

const REDIRECT = 'a redirect becomes a GET';

it(REDIRECT, async () => {
  expect(await methodsAfterRedirect(CORRECT)).toEqual(['POST', 'POST']);
  expect(await methodsAfterRedirect(find(REDIRECT))).toEqual(['POST', 'GET']);
});

/** Uses a receiver on the network, because the sender's port hides redirects. */
async function methodsAfterRedirect(broken: BrokenService): Promise<unknown[]> {
  const methods: unknown[] = [];
  const server = createServer(({ method, url }, response) => {
    methods.push(method);
    response.writeHead(url === '/from' ? 302 : 200, { location: '/to' }).end();
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/from`;
  const { service } = breakService(broken, {
    sender: { send: async () => OK },
    create: (sender) =>
      createMockService({
        allowLoopbackWebhooks: true,
        endpoints: [{ url, events: ['session.started'] }],
        ...(broken.send && { sender }),
      }),
  });
  await service.control.trigger({ name: 'session.started' });
  await expect.poll(() => methods.length).toBe(2);
  await service.close();
  server.close();
  return methods;
}

function find(name: string): BrokenService {
  return BROKEN_SERVICES.find((each) => each.name === name)!;
}
