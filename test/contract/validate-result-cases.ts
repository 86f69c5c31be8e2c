import { later, MINUTES_MS, type ContractCase } from './case.ts';
import { post, VALIDATE } from './world.ts';
import { validateAfter, validated } from './validate-calls.ts';

/** Results and how long they are available. */
export const RESULT_CASES: readonly ContractCase[] = [
  {
    name: 'a verified session',
    why: 'checks every field of the response',
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
    why: 'this is a result as well',
    call: validateAfter(({ control }, id) => control.settle(id, 'failed_age_not_met')),
    status: 200,
    body: validated('failed'),
  },
  {
    name: 'a cancelled session',
    why: 'this is a result as well',
    call: validateAfter(({ control }, id) => control.settle(id, 'cancelled')),
    status: 200,
    body: validated('cancelled'),
  },
  {
    name: 'a pending session',
    why: 'there is no result yet',
    call: validateAfter(),
    status: 200,
    body: validated('pending'),
  },
  {
    name: 'a session with a separate policy',
    why: 'a policy from a secret key is used',
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
    name: 'a session created with a publishable key and a policy',
    why: 'a policy from a browser is ignored',
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
    name: 'a session that was pending at the last call',
    why: 'a pending result does not consume the session',
    call: validateAfter(async (world, sessionId) => {
      await world.host.send(VALIDATE, post(VALIDATE, { sessionId }, world.sk).init);
      await world.control.settle(sessionId, 'verified');
    }),
    status: 200,
    body: validated('verified'),
  },
  {
    name: 'a session that is validated twice',
    why: 'a result can be fetched only once',
    call: validateAfter(async (world, sessionId) => {
      await world.control.settle(sessionId, 'verified');
      await world.host.send(VALIDATE, post(VALIDATE, { sessionId }, world.sk).init);
    }),
    status: 400,
    message: 'Session has already been used',
  },
  {
    name: 'a used session that has expired',
    why: '"used" is checked before "expired"',
    call: validateAfter(async (world, sessionId) => {
      await world.control.settle(sessionId, 'verified');
      await world.host.send(VALIDATE, post(VALIDATE, { sessionId }, world.sk).init);
      await world.host.clock.advance(10 * MINUTES_MS);
    }),
    status: 400,
    message: 'Session has already been used',
  },
  {
    name: 'a pending session one millisecond before its deadline',
    why: 'the session is still valid',
    call: validateAfter((world) => world.host.clock.advance(10 * MINUTES_MS - 1)),
    status: 200,
    body: async (world) => {
      const body = await validated('pending')(world);
      return { ...body, expiresAt: await later(await world.now(), 1) };
    },
  },
  {
    name: 'a pending session at its deadline',
    why: 'at the deadline the session has expired',
    call: validateAfter((world) => world.host.clock.advance(10 * MINUTES_MS)),
    status: 400,
    message: 'Session has expired',
  },
  {
    name: 'a verified session after its deadline',
    why: 'we read the specification strictly, and the webhook still delivers the result',
    call: validateAfter(async (world, id) => {
      await world.control.settle(id, 'verified');
      await world.host.clock.advance(10 * MINUTES_MS);
    }),
    status: 400,
    message: 'Session has expired',
  },
  {
    name: 'a session that timed out on demand',
    why: 'the scenario moves the deadline to the current time',
    call: validateAfter(({ control }, id) => control.settle(id, 'timeout')),
    status: 400,
    message: 'Session has expired',
  },
  {
    name: 'a session that is never settled',
    why: 'the scenario "never" leaves it pending',
    call: validateAfter(({ control }, id) => control.settle(id, 'never')),
    status: 200,
    body: validated('pending'),
  },
];
