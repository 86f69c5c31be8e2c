import { expectEnvelope, expectHeaders, toChecks, type Case } from '../case-checks.ts';
import type { Check } from '../check.ts';
import { CREATE, describeAnswer, post, VALIDATE } from '../exchange.ts';
import { ensure } from '../outcome.ts';
import { create, created, LIFETIME_MS, validateAfter, validated, withPk } from './bodies.ts';
import { BOTH, LIMIT_HEADER_CHECKS, readRemaining, validateUnknown } from './limit-headers.ts';

const MINUTE_MS = 60_000;

const FRESH = BOTH.flatMap(([name, limit, call, status]): Case[] => [
  {
    id: `${name}.headers`,
    sentence: `The headers of a ${name} response contain the limit of ${limit} requests in 60 seconds and the number of requests left`,
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
    sentence: `A ${name} request with an invalid body counts towards the limit`,
    level: 'reading',
    settings: {},
    call: ({ sk }) => post(name === 'create' ? CREATE : VALIDATE, {}, sk),
    status: 400,
    headers: { 'x-ratelimit-remaining': String(Number(limit) - 1) },
  },
]);

const AT_LIMIT = {
  'x-ratelimit-window': '60',
  'x-ratelimit-remaining': '0',
  'x-ratelimit-retry-after': '60',
};

const EXACT: readonly Case[] = [
  {
    id: 'create.301st',
    sentence:
      'The 301st create request of a minute is refused, whichever key of the account is used',
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
    sentence:
      'After the limit is used up, requests are refused until the end of the minute, and the response contains the time to wait',
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
    sentence: 'After a minute, the count of create requests starts again',
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
    sentence: 'After a minute, the count of validate requests starts again',
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

/** Checks that use up a limit. They also work in an account with other traffic. */
const USED_UP: readonly Check[] = BOTH.map(([name, , toCall]) => ({
  id: `limits.${name}.used-up`,
  section: 'Limits',
  sentence: `When the ${name} limit is used up, the response is 429 with the error envelope and the seconds to wait`,
  level: 'must',
  kind: 'destructive',
  needs: [],
  async run(world) {
    const call = toCall(world);
    const first = await world.send(call);
    // A new minute may begin in the meantime and reset the count, so a whole limit may be needed as well.
    const most = readRemaining(first) + Number(first.headers.get('x-ratelimit-limit')) + 1;
    for (let sent = 0; sent < most; sent += BATCH) {
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
    ensure(false, `a 429 after at most ${most} more requests`, 'none');
  },
}));

const BATCH = 25;

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

/** Checks of rate limits, of their headers, and of the lifetime of a session. */
export const LIMIT_CHECKS: readonly Check[] = [
  ...toChecks('Limits', 'limits', [...FRESH, ...EXACT]),
  ...LIMIT_HEADER_CHECKS,
  ...USED_UP,
  LIFETIME,
];
