import type { ContractCase } from './case.ts';
import { ask, facts, page, toCall } from './hosted-calls.ts';

const SECOND = { device: 'second', handoffUrl: null };

/** The facts that the page shows, and handing over between two devices. */
export const DEVICE_CASES: readonly ContractCase[] = [
  {
    name: 'a pending session',
    why: 'what the page shows, and nothing secret',
    call: page('GET', 'session', undefined, undefined, {
      merchantName: 'Wine & Co',
      externalUserId: 'ofage_test:failed_age_not_met:anna',
      cancelUrl: 'https://shop.example/cancel',
    }),
    status: 200,
    body: facts('pending', {
      merchantName: 'Wine & Co',
      externalUserId: 'ofage_test:failed_age_not_met:anna',
      cancelUrl: 'https://shop.example/cancel',
      presetOutcome: 'failed_age_not_met',
    }),
  },
  {
    name: 'a session by its handoffToken',
    why: 'the second device has that one',
    call: async (world) => toCall('GET', 'session', (await world.create()).handoffToken),
    status: 200,
    body: facts('pending', SECOND),
  },
  {
    name: 'continue on the second device',
    why: 'the shopper goes on there',
    call: async (world) => toCall('POST', 'continue', (await world.create()).handoffToken, {}),
    status: 200,
    body: facts('pending', { ...SECOND, activeDevice: 'second' }),
  },
  {
    name: 'the first device after that',
    why: 'it follows along',
    call: page('GET', 'session', undefined, ask('handoffToken', 'continue')),
    status: 200,
    body: facts('pending', { activeDevice: 'second' }),
  },
  {
    name: 'the first device after the second has ended the session',
    why: 'it learns how',
    call: page('POST', 'heartbeat', {}, ask('handoffToken', 'continue', 'submit')),
    status: 200,
    body: facts('verified', { activeDevice: 'second' }),
  },
  ...(['submit', 'retry', 'outcome'] as const).map((action): ContractCase => ({
    name: `${action} on the first device after it handed over`,
    why: 'only one of the two takes pictures at a time',
    call: page(
      'POST',
      action,
      action === 'outcome' ? { outcome: 'verified' } : {},
      ask('handoffToken', 'continue'),
    ),
    status: 409,
    message: 'The shopper goes on with the second device: continue on this one first',
  })),
  {
    name: 'submit on the second device before it continues',
    why: 'to have read the code is not to go on there',
    call: async (world) => toCall('POST', 'submit', (await world.create()).handoffToken, {}),
    status: 409,
    message: 'The shopper goes on with the first device: continue on this one first',
  },
  {
    name: 'submit on the first device after it took the check back',
    why: 'the shopper may change their mind',
    call: page('POST', 'submit', {}, async (world, session) => {
      await ask('handoffToken', 'continue')(world, session);
      await ask('sessionToken', 'continue')(world, session);
    }),
    status: 200,
    body: facts('verified'),
  },
  {
    name: 'cancel on the first device after it handed over',
    why: 'the shopper may give up wherever they are',
    call: page('POST', 'cancel', {}, ask('handoffToken', 'continue')),
    status: 200,
    body: facts('cancelled', { reason: 'cancelled', activeDevice: 'second' }),
  },
  {
    name: 'continue on the first device again',
    why: 'the shopper may change their mind',
    call: page('POST', 'continue', {}, ask('handoffToken', 'continue')),
    status: 200,
    body: facts('pending'),
  },
  {
    name: 'the second device continues after the end',
    why: 'there is nothing to go on with',
    call: async (world) => {
      const { sessionId, handoffToken } = await world.create();
      await world.control.settle(sessionId, 'verified');
      return toCall('POST', 'continue', handoffToken, {});
    },
    status: 409,
    message: 'The session is no longer pending: it is verified',
  },
  {
    name: 'the second device leaves while the first is open',
    why: 'the first one goes on, and nothing is cancelled',
    call: page('GET', 'session', undefined, async (world, session) => {
      await ask('sessionToken', 'heartbeat')(world, session);
      await ask('handoffToken', 'continue', 'leave')(world, session);
      await world.host.clock.advance(60_000);
    }),
    status: 200,
    body: facts('pending'),
  },
  {
    name: 'both devices leave',
    why: 'nobody is there any more',
    call: page('GET', 'session', undefined, async (world, session) => {
      await ask('sessionToken', 'heartbeat')(world, session);
      await ask('handoffToken', 'continue')(world, session);
      await ask('sessionToken', 'leave')(world, session);
      await ask('handoffToken', 'leave')(world, session);
      await world.host.clock.advance(5_000);
    }),
    status: 200,
    body: facts('cancelled', { reason: 'cancelled', activeDevice: 'second' }),
  },
];
