import { later, MINUTES_MS, type ContractCase } from './case.ts';
import { post, VALIDATE } from './world.ts';
import { validateAfter, validated } from './validate-calls.ts';

/** Results and their lifetime. */
export const RESULT_CASES: readonly ContractCase[] = [
  {
    name: 'a verified session',
    why: 'the whole response, field by field',
    call: validateAfter(({ control }, id) => control.settle(id, 'verified'), {
      externalUserId: 'anna',
    }),
    status: 200,
    body: validated('verified', { externalUserId: 'anna' }),
    headers: {
      'x-ratelimit-limit': '100',
      'x-ratelimit-window': '60',
      'x-ratelimit-remaining': '99',
      'x-ratelimit-retry-after': null,
    },
  },
  {
    name: 'a failed session',
    why: 'a result, too',
    call: validateAfter(({ control }, id) => control.settle(id, 'failed_age_not_met')),
    status: 200,
    body: validated('failed'),
  },
  {
    name: 'a cancelled session',
    why: 'a result, too',
    call: validateAfter(({ control }, id) => control.settle(id, 'cancelled')),
    status: 200,
    body: validated('cancelled'),
  },
  {
    name: 'a pending session',
    why: 'no result yet',
    call: validateAfter(),
    status: 200,
    body: validated('pending'),
  },
  {
    name: 'a session with policy of its own',
    why: 'what a secret key asked for is what was used',
    call: validateAfter(({ control }, id) => control.settle(id, 'verified'), {
      verificationMode: 'L2',
      challengeAge: 40,
      faceMatchEnabled: false,
    }),
    status: 200,
    body: validated('verified', {
      verificationMode: 'L2',
      challengeAge: 40,
      faceMatchEnabled: false,
    }),
  },
  {
    name: 'a session made with a publishable key and policy',
    why: 'what a browser asked for is not',
    tenant: { policy: { verificationMode: 'L2', challengeAge: 50 } },
    call: async (world) => {
      const { sessionId } = await world.create(
        { verificationMode: 'L1', challengeAge: 25, faceMatchEnabled: false },
        world.pk,
      );
      return post(VALIDATE, { sessionId }, world.sk);
    },
    status: 200,
    body: validated('pending', { verificationMode: 'L2', challengeAge: 50 }),
  },
  {
    name: 'a session that was pending the last time',
    why: 'a pending answer does not consume',
    call: validateAfter(async (world, sessionId) => {
      await world.host.send(VALIDATE, post(VALIDATE, { sessionId }, world.sk).init);
      await world.control.settle(sessionId, 'verified');
    }),
    status: 200,
    body: validated('verified'),
  },
  {
    name: 'a session for the second time',
    why: 'single use',
    call: validateAfter(async (world, sessionId) => {
      await world.control.settle(sessionId, 'verified');
      await world.host.send(VALIDATE, post(VALIDATE, { sessionId }, world.sk).init);
    }),
    status: 400,
    message: 'Session has already been used',
  },
  {
    name: 'a used session that has expired since',
    why: '"used" is asked before "expired"',
    call: validateAfter(async (world, sessionId) => {
      await world.control.settle(sessionId, 'verified');
      await world.host.send(VALIDATE, post(VALIDATE, { sessionId }, world.sk).init);
      await world.host.clock.advance(10 * MINUTES_MS);
    }),
    status: 400,
    message: 'Session has already been used',
  },
  {
    name: 'a pending session a millisecond before its end',
    why: 'ten minutes are ten minutes',
    call: validateAfter((world) => world.host.clock.advance(10 * MINUTES_MS - 1)),
    status: 200,
    body: async (world) => {
      const body = await validated('pending')(world);
      return { ...body, expiresAt: await later(await world.now(), 1) };
    },
  },
  {
    name: 'a pending session at its end',
    why: 'the deadline itself is too late',
    call: validateAfter((world) => world.host.clock.advance(10 * MINUTES_MS)),
    status: 400,
    message: 'Session has expired',
  },
  {
    name: 'a verified session after its end',
    why: 'the strict reading: the result still comes by webhook',
    call: validateAfter(async (world, id) => {
      await world.control.settle(id, 'verified');
      await world.host.clock.advance(10 * MINUTES_MS);
    }),
    status: 400,
    message: 'Session has expired',
  },
  {
    name: 'a session that timed out on demand',
    why: 'the scenario brings the deadline forward',
    call: validateAfter(({ control }, id) => control.settle(id, 'timeout')),
    status: 400,
    message: 'Session has expired',
  },
  {
    name: 'a session for which nothing happens',
    why: 'the scenario "never" leaves it pending',
    call: validateAfter(({ control }, id) => control.settle(id, 'never')),
    status: 200,
    body: validated('pending'),
  },
];
