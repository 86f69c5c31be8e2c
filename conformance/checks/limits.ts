import {
  expectEnvelope,
  expectHeaders,
  expectStatus,
  toChecks,
  type Case,
} from '../case-checks.ts';
import type { Check } from '../check.ts';
import { CREATE, describeAnswer, post, VALIDATE, type Answer, type Call } from '../exchange.ts';
import { ensure } from '../outcome.ts';
import type { World } from '../world.ts';
import { create, created, LIFETIME_MS, validateAfter, validated, withPk } from './bodies.ts';

const MINUTE_MS = 60_000;

const validateUnknown = (world: World, key = world.sk): Call =>
  post(VALIDATE, { sessionId: 'x' }, key);

const BOTH = [
  ['create', '300', create(), 201],
  ['validate', '100', (world: World) => validateUnknown(world), 404],
] as const;

const FRESH = BOTH.flatMap(([name, limit, call, status]): Case[] => [
  {
    id: `${name}.headers`,
    sentence: `A ${name} response says that the account may send ${limit} requests in 60 seconds, and how many are left`,
    settings: {},
    call,
    status,
    headers: {
      'x-ratelimit-limit': limit,
      'x-ratelimit-window': '60',
      'x-ratelimit-remaining': String(Number(limit) - 1),
      'x-ratelimit-retry-after': null,
    },
    ...(status === 201 && { body: created() }),
  },
  {
    id: `${name}.refusals-count`,
    sentence: `A refused ${name} body counts towards the limit`,
    level: 'reading',
    settings: {},
    call: ({ sk }) => post(name === 'create' ? CREATE : VALIDATE, {}, sk),
    status: 400,
    headers: { 'x-ratelimit-remaining': String(Number(limit) - 1) },
  },
]);

/** Requests without a known account. The headers are promised on every response. */
const WITHOUT_ACCOUNT = (
  [
    ['create.preflight', CREATE, 'OPTIONS', 204],
    ['validate.preflight', VALIDATE, 'OPTIONS', 204],
    ['unknown-path.preflight', '/nothing', 'OPTIONS', 404],
    ['unknown-path', '/nothing', 'GET', 404],
    ['base-path', '', 'GET', 404],
    ['other-method', VALIDATE, 'PUT', 405],
    ['head', CREATE, 'HEAD', 405],
    ['no-key.create', CREATE, 'POST', 401],
    ['no-key.validate', VALIDATE, 'POST', 401],
  ] as const
).map(([name, path, method, status]): Check => {
  const limit = path === VALIDATE ? '100' : '300';
  return {
    id: `limits.without-account.${name}`,
    section: 'Limits',
    sentence: `The response to ${method} ${path || 'on the base path'} without a key has the rate limit headers, too`,
    level: 'reading',
    kind: 'safe',
    needs: [],
    async run(world) {
      const call = { method, path, headers: {} };
      const answer = await world.send(call);
      expectStatus(answer, status);
      expectHeaders(answer, {
        'x-ratelimit-limit': limit,
        'x-ratelimit-window': '60',
        'x-ratelimit-remaining': limit,
      });
      if (method !== 'HEAD' && status !== 204) await expectEnvelope(world, call, answer, status);
    },
  };
});

/** Reads the number of requests that are left. */
function readRemaining(answer: Answer): number {
  const text = answer.headers.get('x-ratelimit-remaining');
  const isNumber = text !== null && /^\d+$/.test(text);
  ensure(isNumber, 'the header x-ratelimit-remaining with a number', text ?? 'no such header');
  return Number(text);
}

/** Every response has the headers, whatever its status. */
const PRESENT = (
  [
    ['created', create(), 201],
    ['invalid', create({ returnUrl: 5 }), 400],
    ['unknown-session', (world: World) => validateUnknown(world), 404],
    ['not-private', (world: World) => validateUnknown(world, world.pk), 401],
    ['no-key', () => post(CREATE, {}), 401],
    ['unknown-key', () => post(CREATE, {}, 'sk_unknown'), 401],
  ] as const
).map(([name, toCall, status]): Check => ({
  id: `limits.headers.${name}`,
  section: 'Limits',
  sentence: `A response with the status ${status} has the three rate limit headers, and no retry time (${name})`,
  level: 'must',
  kind: 'safe',
  needs: [],
  async run(world) {
    const answer = await world.send(toCall(world));
    expectStatus(answer, status);
    for (const header of ['x-ratelimit-limit', 'x-ratelimit-window']) {
      const value = answer.headers.get(header);
      ensure(/^[1-9]\d*$/.test(value ?? ''), `the header ${header} with a number`, value ?? 'none');
    }
    readRemaining(answer);
    expectHeaders(answer, { 'x-ratelimit-retry-after': null });
  },
}));

const COUNTING: readonly Check[] = BOTH.map(([name, , toCall]) => ({
  id: `limits.${name}.counts-down`,
  section: 'Limits',
  sentence: `The number of ${name} requests that are left goes down by one with each request`,
  level: 'must',
  kind: 'safe',
  needs: [],
  async run(world) {
    const first = readRemaining(await world.send(toCall(world)));
    const answer = await world.send(toCall(world));
    const second = readRemaining(answer);
    // In an account with other traffic, a new minute may have begun.
    const isNewMinute = !world.isNewAccount && second > first;
    ensure(second === first - 1 || isNewMinute, `${first - 1} requests left`, `${second}`);
  },
}));

const SHARED: readonly Check[] = [
  {
    id: 'limits.shared-by-keys',
    section: 'Limits',
    sentence: 'All keys of an account share a limit',
    level: 'must',
    kind: 'safe',
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
    id: 'limits.separate',
    section: 'Limits',
    sentence: 'Create and validate have separate limits',
    level: 'must',
    kind: 'safe',
    needs: [],
    settings: {},
    async run(world) {
      await world.create();
      const left = readRemaining(await world.send(validateUnknown(world)));
      ensure(left === 99, '99 validate requests left after one create request', `${left}`);
    },
  },
  {
    id: 'limits.other-account',
    section: 'Limits',
    sentence: 'Every account has limits of its own',
    level: 'must',
    kind: 'safe',
    needs: [],
    settings: {},
    async run(world) {
      await world.create();
      const other = await world.driver.createAccount({ allowedDomains: ['shop.example'] });
      const left = readRemaining(await world.send(create({}, () => other.secretKey)(world)));
      ensure(left === 299, '299 requests left for another account', `${left}`);
    },
  },
];

const AT_LIMIT = {
  'x-ratelimit-window': '60',
  'x-ratelimit-remaining': '0',
  'x-ratelimit-retry-after': '60',
};

const EXACT: readonly Case[] = [
  {
    id: 'create.301st',
    sentence: 'The 301st create request of a minute is refused, whatever the key',
    kind: 'destructive',
    settings: {},
    needs: ['createKeyPair', 'now'],
    call: async (world) => {
      const other = await world.driver.createKeyPair(world.account.tenantId ?? '');
      const keys = [world.sk, world.pk, other.secretKey, other.publishableKey];
      await Promise.all(Array.from({ length: 300 }, (_, n) => world.create({}, keys[n % 4])));
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
    call: async (world) => {
      await Promise.all(Array.from({ length: 100 }, () => world.send(validateUnknown(world))));
      return validateAfter()(world);
    },
    status: 429,
    message: 'Too Many Requests',
    headers: { 'x-ratelimit-limit': '100', ...AT_LIMIT },
  },
  {
    id: 'validate.101st.higher-limit',
    sentence: 'A higher limit of the account applies to validate',
    kind: 'destructive',
    settings: { validateLimit: 200 },
    call: async (world) => {
      await Promise.all(Array.from({ length: 100 }, () => world.send(validateUnknown(world))));
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
    id: 'window.last-millisecond',
    sentence: 'A used-up limit lasts until the end of its minute, which the response announces',
    level: 'should',
    kind: 'slow',
    settings: { createLimit: 1 },
    needs: ['advance', 'now'],
    call: async (world) => {
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
    sentence: 'After a minute, the count starts again',
    kind: 'slow',
    settings: { createLimit: 1 },
    needs: ['advance'],
    call: async (world) => {
      await world.create();
      await world.driver.advance(MINUTE_MS);
      return create()(world);
    },
    status: 201,
    body: created(),
    headers: { 'x-ratelimit-remaining': '0', 'x-ratelimit-retry-after': null },
  },
  {
    id: 'validate.window.next',
    sentence: 'After a minute, the count of validate starts again',
    kind: 'slow',
    settings: { validateLimit: 1 },
    needs: ['advance'],
    call: async (world) => {
      await world.send(validateUnknown(world));
      await world.driver.advance(MINUTE_MS);
      return validateUnknown(world);
    },
    status: 404,
    headers: { 'x-ratelimit-remaining': '0' },
  },
];

/** Uses up the limit of an account that others may use too. */
const USED_UP: readonly Check[] = BOTH.map(([name, , toCall]) => ({
  id: `limits.${name}.used-up`,
  section: 'Limits',
  sentence: `When the ${name} limit is used up, the response is 429 with the error envelope and the seconds to wait`,
  level: 'must',
  kind: 'destructive',
  needs: [],
  async run(world) {
    const call = toCall(world);
    const left = readRemaining(await world.send(call));
    // A minute may end meanwhile, which gives the account a second limit.
    for (let sent = 0; sent < 2 * left + 2; sent += BATCH) {
      const answers = await Promise.all(Array.from({ length: BATCH }, () => world.sendOnce(call)));
      const refused = answers.find(({ status }) => status === 429);
      if (!refused) continue;
      await expectEnvelope(world, call, refused, 429);
      const seconds = Number(refused.headers.get('x-ratelimit-retry-after'));
      const isWait = Number.isInteger(seconds) && seconds >= 1 && seconds <= 60;
      ensure(isWait, 'the header x-ratelimit-retry-after from 1 to 60', describeAnswer(refused));
      expectHeaders(refused, { 'x-ratelimit-remaining': '0' });
      return;
    }
    ensure(false, `a 429 after ${left} more requests`, 'none');
  },
}));

const BATCH = 25;

/** The lifetime of a session, as responses announce it. */
const LIFETIME: Check = {
  id: 'limits.session-lifetime',
  section: 'Limits',
  sentence: 'A session expires ten minutes after its creation',
  level: 'must',
  kind: 'safe',
  needs: [],
  async run(world) {
    const { expiresAt } = await world.create();
    const matcher = world.at((await world.now()) + LIFETIME_MS);
    ensure(matcher.matches(expiresAt), `expiresAt to be ${matcher.description}`, expiresAt);
  },
};

/** Rate limits, their headers, and the lifetime of a session. */
export const LIMIT_CHECKS: readonly Check[] = [
  ...toChecks('Limits', 'limits', [...FRESH, ...EXACT]),
  ...PRESENT,
  ...COUNTING,
  ...SHARED,
  ...WITHOUT_ACCOUNT,
  ...USED_UP,
  LIFETIME,
];
