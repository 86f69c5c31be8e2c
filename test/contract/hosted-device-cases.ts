import type { ContractCase } from './case.ts';
import { ask, facts, page, toCall } from './hosted-calls.ts';

const SECOND = { device: 'second', handoffUrl: null };

/** The session data for the page, and the hand-off between two devices. */
export const DEVICE_CASES: readonly ContractCase[] = [
  {
    name: 'a pending session',
    why: 'the page gets only what it shows, and no secrets',
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
    why: 'the second device has this token',
    call: async (world) => toCall('GET', 'session', (await world.create()).handoffToken),
    status: 200,
    body: facts('pending', SECOND),
  },
  {
    name: 'continue on the second device',
    why: 'the shopper continues there',
    call: async (world) => toCall('POST', 'continue', (await world.create()).handoffToken, {}),
    status: 200,
    body: facts('pending', { ...SECOND, activeDevice: 'second' }),
  },
  {
    name: 'the first device after the hand-off',
    why: 'it shows the state of the other device',
    call: page('GET', 'session', undefined, ask('handoffToken', 'continue')),
    status: 200,
    body: facts('pending', { activeDevice: 'second' }),
  },
  {
    name: 'the first device after the second has ended the session',
    why: 'it gets the outcome',
    call: page('POST', 'heartbeat', {}, ask('handoffToken', 'continue', 'submit')),
    status: 200,
    body: facts('verified', { activeDevice: 'second' }),
  },
  ...(['submit', 'retry', 'outcome'] as const).map((action): ContractCase => ({
    name: `${action} on the first device after it handed over`,
    why: 'only one device may take pictures at a time',
    call: page(
      'POST',
      action,
      action === 'outcome' ? { outcome: 'verified' } : {},
      ask('handoffToken', 'continue'),
    ),
    status: 409,
    message:
      'The session is active on the second device. To continue here, call continue on this device',
  })),
  {
    name: 'submit on the second device before it continues',
    why: 'scanning the code does not start the hand-off',
    call: async (world) => toCall('POST', 'submit', (await world.create()).handoffToken, {}),
    status: 409,
    message:
      'The session is active on the first device. To continue here, call continue on this device',
  },
  {
    name: 'submit on the first device after it cancelled the hand-off',
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
    why: 'the shopper may cancel on either device',
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
    why: 'the session has ended',
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
    why: 'the session continues on the first device',
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
    why: 'no device has the page open any more',
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
