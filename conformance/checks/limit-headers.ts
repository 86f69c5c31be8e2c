import { expectEnvelope, expectHeaders, expectStatus } from '../case-checks.ts';
import type { Check } from '../check.ts';
import { CREATE, post, VALIDATE, type Answer, type Call } from '../exchange.ts';
import { ensure } from '../outcome.ts';
import type { World } from '../world.ts';
import { create } from './bodies.ts';
import { defineChecks } from './define.ts';

export const validateUnknown = (world: World, key = world.sk): Call =>
  post(VALIDATE, { sessionId: 'x' }, key);

export const BOTH = [
  ['create', '300', create(), 201],
  ['validate', '100', (world: World) => validateUnknown(world), 404],
] as const;

/** Requests without a known account. The specification promises the headers on every response. */
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
export function readRemaining(answer: Answer): number {
  const text = answer.headers.get('x-ratelimit-remaining');
  const isNumber = text !== null && /^\d+$/.test(text);
  ensure(isNumber, 'the header x-ratelimit-remaining with a number', text ?? 'no such header');
  return Number(text);
}

/** Checks that responses with different statuses have the headers. */
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
  sentence: `Each ${name} request reduces the number of requests left by one`,
  level: 'must',
  kind: 'safe',
  needs: [],
  async run(world) {
    const first = readRemaining(await world.send(toCall(world)));
    const answer = await world.send(toCall(world));
    const second = readRemaining(answer);
    // The minute of an account that is not new may end between the two requests.
    const isNewMinute = !world.isNewAccount && second > first;
    ensure(second === first - 1 || isNewMinute, `${first - 1} requests left`, `${second}`);
  },
}));

const SHARED: readonly Check[] = defineChecks({ section: 'Limits', prefix: 'limits' }, [
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
]);

/** Checks of the rate limit headers, and of the requests that count towards a limit. */
export const LIMIT_HEADER_CHECKS: readonly Check[] = [
  ...PRESENT,
  ...COUNTING,
  ...SHARED,
  ...WITHOUT_ACCOUNT,
];
