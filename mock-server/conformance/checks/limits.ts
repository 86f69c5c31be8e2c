import {
  expectEnvelope,
  expectHeaders,
  expectStatus,
  toChecks,
  toExamples,
  type Case,
} from '../case-checks.ts';
import { forEach, type Check } from '../check.ts';
import { CREATE, describeAnswer, post, VALIDATE, type Answer, type Call } from '../exchange.ts';
import { ensure } from '../outcome.ts';
import type { World } from '../world.ts';
import { create, created, validateAfter, validated, withPk } from './bodies.ts';
import { defineChecks, type CheckRow } from './define.ts';
import { MINUTE_MS } from './deliver.ts';

const validateUnknown = (world: World, key = world.sk): Call =>
  post(VALIDATE, { sessionId: 'x' }, key);

/** The two operations, each with its limit, and a request with the status of its response. */
const OPERATIONS = {
  create: { limit: 300, toCall: create(), status: 201 },
  validate: { limit: 100, toCall: (world: World) => validateUnknown(world), status: 404 },
} as const;

/** Reads the number of requests that are left. */
function readRemaining(answer: Answer): number {
  const text = answer.headers.get('x-ratelimit-remaining');
  const isNumber = text !== null && /^\d+$/.test(text);
  ensure(isNumber, 'the header x-ratelimit-remaining with a number', text ?? 'no such header');
  return Number(text);
}

/** Sends a number of requests at the same time. */
const sendMany = (world: World, count: number, toCall: (world: World, n: number) => Call) =>
  Promise.all(Array.from({ length: count }, (_, n) => world.send(toCall(world, n))));

const AT_LIMIT = {
  'x-ratelimit-window': '60',
  'x-ratelimit-remaining': '0',
  'x-ratelimit-retry-after': '60',
};

const CASES: readonly Case[] = [
  ...Object.entries(OPERATIONS).map(([name, { limit, toCall, status }]): Case => ({
    id: `${name}.headers`,
    sentence: `The headers of a ${name} response contain the limit of ${limit} requests in 60 seconds and the number of requests left`,
    settings: {},
    call: toCall,
    status,
    headers: {
      'x-ratelimit-limit': `${limit}`,
      'x-ratelimit-window': '60',
      'x-ratelimit-remaining': `${limit - 1}`,
      'x-ratelimit-retry-after': null,
    },
    ...(status === 201 && { body: created() }),
  })),
  {
    id: 'refusals-count',
    sentence: 'A request with an invalid body counts towards the limit',
    level: 'reading',
    settings: {},
    examples: toExamples(OPERATIONS, ({ limit }, name) => ({
      call: ({ sk }) => post(name === 'create' ? CREATE : VALIDATE, {}, sk),
      headers: { 'x-ratelimit-remaining': `${limit - 1}` },
    })),
    status: 400,
  },
  {
    id: 'create.301st',
    sentence:
      'The 301st create request of a minute is refused, whichever key of the account is used',
    kind: 'destructive',
    settings: {},
    needs: ['createKeyPair', 'now'],
    async call(world) {
      const other = await world.driver.createKeyPair(world.account.tenantId ?? '');
      const keys = [world.sk, world.pk, other.secretKey, other.publishableKey];
      await sendMany(world, 300, (_, n) => create({}, () => keys[n % 4] ?? '')(world));
      return create({}, withPk)(world);
    },
    status: 429,
    message: 'Too Many Requests',
    headers: { 'x-ratelimit-limit': '300', ...AT_LIMIT },
  },
  {
    id: 'validate.101st',
    sentence: 'The 101st validate request of a minute is refused',
    kind: 'destructive',
    settings: {},
    needs: ['now'],
    async call(world) {
      await sendMany(world, 100, () => validateUnknown(world));
      return validateAfter()(world);
    },
    status: 429,
    message: 'Too Many Requests',
    headers: { 'x-ratelimit-limit': '100', ...AT_LIMIT },
  },
  {
    id: 'validate.higher-limit',
    sentence: 'A higher limit of the account applies to validate',
    kind: 'destructive',
    settings: { validateLimit: 200 },
    async call(world) {
      await sendMany(world, 100, () => validateUnknown(world));
      return validateAfter()(world);
    },
    status: 200,
    body: validated('pending'),
    headers: { 'x-ratelimit-limit': '200', 'x-ratelimit-remaining': '99' },
  },
  {
    id: 'create.higher-limit',
    sentence: 'A higher limit of the account applies to create',
    settings: { createLimit: 5_000 },
    call: create(),
    status: 201,
    body: created(),
    headers: { 'x-ratelimit-limit': '5000', 'x-ratelimit-remaining': '4999' },
  },
  {
    id: 'window.seconds-left',
    sentence: 'The time to wait is the number of seconds until the window resets',
    kind: 'slow',
    settings: { createLimit: 1 },
    needs: ['advance', 'now'],
    async call(world) {
      await world.create();
      await world.driver.advance(MINUTE_MS / 3);
      return create()(world);
    },
    status: 429,
    headers: { 'x-ratelimit-retry-after': '40' },
  },
  {
    id: 'window.last-millisecond',
    sentence:
      'After the limit is used up, requests are refused until the end of the minute, and the response contains the time to wait',
    level: 'should',
    kind: 'slow',
    settings: { createLimit: 1 },
    needs: ['advance', 'now'],
    async call(world) {
      await world.create();
      await world.driver.advance(MINUTE_MS - 1);
      return create()(world);
    },
    status: 429,
    message: 'Too Many Requests',
    headers: { 'x-ratelimit-limit': '1', 'x-ratelimit-retry-after': '1' },
  },
  {
    id: 'window.next',
    sentence: 'After a minute, the count of requests starts again',
    kind: 'slow',
    settings: { createLimit: 1, validateLimit: 1 },
    needs: ['advance'],
    examples: toExamples(OPERATIONS, ({ toCall, status }) => ({
      async call(world) {
        await world.send(toCall(world));
        await world.driver.advance(MINUTE_MS);
        return toCall(world);
      },
      status,
      ...(status === 201 && { body: created() }),
    })),
    status: 201,
    headers: { 'x-ratelimit-remaining': '0', 'x-ratelimit-retry-after': null },
  },
  {
    id: 'window.refused',
    sentence: 'A refused request neither extends the minute nor starts a new one',
    level: 'reading',
    kind: 'slow',
    settings: { createLimit: 1 },
    needs: ['advance', 'now'],
    async call(world) {
      await world.create();
      await world.driver.advance(MINUTE_MS / 2);
      await world.sendOnce(create()(world));
      await world.driver.advance(MINUTE_MS / 2);
      return create()(world);
    },
    status: 201,
    body: created(),
  },
];

/** Requests and the status of their responses. */
const RESPONSES: Readonly<
  Record<string, readonly [toCall: (world: World) => Call, status: number]>
> = {
  created: [create(), 201],
  invalid: [create({ returnUrl: 5 }), 400],
  'unknown session': [validateUnknown, 404],
  'publishable key': [(world) => validateUnknown(world, world.pk), 401],
  'no key': [() => post(CREATE, {}), 401],
  'unknown key': [() => post(CREATE, {}, 'sk_unknown'), 401],
};

/** Requests without a key. The specification promises the headers on every response. */
const WITHOUT_KEY = {
  'create preflight': [CREATE, 'OPTIONS', 204],
  'validate preflight': [VALIDATE, 'OPTIONS', 204],
  'unknown path preflight': ['/nothing', 'OPTIONS', 404],
  'unknown path': ['/nothing', 'GET', 404],
  'base path': ['', 'GET', 404],
  'other method': [VALIDATE, 'PUT', 405],
  head: [CREATE, 'HEAD', 405],
  create: [CREATE, 'POST', 401],
  validate: [VALIDATE, 'POST', 401],
} as const;

const HEADERS: readonly CheckRow[] = [
  {
    id: 'headers',
    sentence: 'Every response has the three rate limit headers, and only a 429 has a retry time',
    ...forEach(RESPONSES, async (world, [toCall, status]) => {
      const answer = await world.send(toCall(world));
      expectStatus(answer, status);
      for (const header of ['x-ratelimit-limit', 'x-ratelimit-window']) {
        const value = answer.headers.get(header) ?? 'none';
        ensure(/^[1-9]\d*$/.test(value), `the header ${header} with a number`, value);
      }
      readRemaining(answer);
      expectHeaders(answer, { 'x-ratelimit-retry-after': null });
    }),
  },
  {
    id: 'without-key',
    sentence: 'A response to a request without a key has the default limits in its headers',
    level: 'reading',
    ...forEach(WITHOUT_KEY, async (world, [path, method, status]) => {
      const call = { method, path, headers: {} };
      const answer = await world.send(call);
      expectStatus(answer, status);
      const limit = path === VALIDATE ? '100' : '300';
      expectHeaders(answer, {
        'x-ratelimit-limit': limit,
        'x-ratelimit-window': '60',
        'x-ratelimit-remaining': limit,
      });
      if (method !== 'HEAD' && status !== 204) await expectEnvelope(world, call, answer, status);
    }),
  },
  {
    id: 'cors',
    section: 'Errors',
    sentence:
      'A shop in a browser, which has another origin, may read every response to a create request',
    level: 'reading',
    ...forEach(RESPONSES, async (world, [toCall]) => {
      const call = toCall(world);
      if (call.path !== CREATE) return;
      const origin = 'https://shop.example';
      const { headers } = await world.send({ ...call, headers: { ...call.headers, origin } });
      const allowed = headers.get('access-control-allow-origin') ?? 'none';
      ensure(['*', origin].includes(allowed), `access-control-allow-origin: ${origin}`, allowed);
    }),
  },
  {
    id: 'counts-down',
    sentence: 'Each request reduces the number of requests left by one',
    ...forEach(OPERATIONS, async (world, { toCall }) => {
      const first = readRemaining(await world.send(toCall(world)));
      const second = readRemaining(await world.send(toCall(world)));
      // The minute of an account that is not new may end between the two requests.
      const isNewMinute = !world.isNewAccount && second > first;
      ensure(second === first - 1 || isNewMinute, `${first - 1} requests left`, `${second}`);
    }),
  },
  {
    id: 'shared-by-keys',
    sentence: 'All keys of an account share a limit',
    needs: ['createKeyPair'],
    settings: {},
    async run(world) {
      const other = await world.driver.createKeyPair(world.account.tenantId ?? '');
      const keys = [world.sk, world.pk, other.secretKey, other.publishableKey];
      const left: number[] = [];
      for (const key of keys)
        left.push(readRemaining(await world.send(create({}, () => key)(world))));
      ensure(left.join() === '299,298,297,296', '299, 298, 297 and 296 left', left.join(', '));
    },
  },
  {
    id: 'separate',
    sentence: 'Create and validate have separate limits',
    settings: {},
    async run(world) {
      await world.create();
      const left = readRemaining(await world.send(validateUnknown(world)));
      ensure(left === 99, '99 validate requests left after one create request', `${left}`);
    },
  },
  {
    id: 'other-account',
    sentence: 'Every account has its own limits',
    settings: {},
    async run(world) {
      await world.create();
      const other = await world.driver.createAccount({ allowedDomains: ['shop.example'] });
      const left = readRemaining(await world.send(create({}, () => other.secretKey)(world)));
      ensure(left === 299, '299 requests left for another account', `${left}`);
    },
  },
  {
    // Also works in an account with other traffic.
    id: 'used-up',
    sentence:
      'When a limit is used up, the response is 429 with the error envelope and the seconds to wait',
    kind: 'destructive',
    ...forEach(OPERATIONS, async (world, { toCall }) => {
      const call = toCall(world);
      const first = await world.send(call);
      // A new minute may begin in the meantime and reset the count, so a whole limit may be needed as well.
      const most = readRemaining(first) + Number(first.headers.get('x-ratelimit-limit')) + 1;
      for (let sent = 0; sent < most; sent += BATCH) {
        const answers = await Promise.all(
          Array.from({ length: BATCH }, () => world.sendOnce(call)),
        );
        const refused = answers.find(({ status }) => status === 429);
        if (!refused) continue;
        await expectEnvelope(world, call, refused, 429);
        const seconds = Number(refused.headers.get('x-ratelimit-retry-after'));
        const isWait = Number.isInteger(seconds) && seconds >= 1 && seconds <= 60;
        ensure(isWait, 'the header x-ratelimit-retry-after from 1 to 60', describeAnswer(refused));
        expectHeaders(refused, { 'x-ratelimit-remaining': '0' });
        return;
      }
      ensure(false, `a 429 after at most ${most} more requests`, 'none');
    }),
  },
];

const BATCH = 25;

/** Checks of rate limits and of their headers. */
export const LIMIT_CHECKS: readonly Check[] = [
  ...toChecks('Limits', 'limits', CASES),
  ...defineChecks({ section: 'Limits', prefix: 'limits' }, HEADERS),
];
