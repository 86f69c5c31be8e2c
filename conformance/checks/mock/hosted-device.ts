import type { Case } from '../../case-checks.ts';
import { ask, facts, page, toCall } from './hosted-calls.ts';

const SECOND = { device: 'second', handoffUrl: null };

/** The session data for the page, and the hand-off between two devices. */
export const DEVICE_CASES: readonly Case[] = [
  {
    id: 'device.pending-session',
    sentence: 'A pending session: the page gets only what it shows, and no secrets',
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
    id: 'device.session-its-handofftoken',
    sentence: 'A session by its handoffToken: the second device has this token',
    call: async (world) => toCall('GET', 'session', (await world.create()).handoffToken),
    status: 200,
    body: facts('pending', SECOND),
  },
  {
    id: 'device.continue-on-second-device',
    sentence: 'Continue on the second device: the shopper continues there',
    call: async (world) => toCall('POST', 'continue', (await world.create()).handoffToken, {}),
    status: 200,
    body: facts('pending', { ...SECOND, activeDevice: 'second' }),
  },
  {
    id: 'device.first-device-hand-off',
    sentence: 'The first device after the hand-off: it shows the state of the other device',
    call: page('GET', 'session', undefined, ask('handoffToken', 'continue')),
    status: 200,
    body: facts('pending', { activeDevice: 'second' }),
  },
  {
    id: 'device.first-device-second-ended-session',
    sentence: 'The first device after the second has ended the session: it gets the outcome',
    call: page('POST', 'heartbeat', {}, ask('handoffToken', 'continue', 'submit')),
    status: 200,
    body: facts('verified', { activeDevice: 'second' }),
  },
  ...(['submit', 'retry', 'outcome'] as const).map((action): Case => ({
    id: `device.${action}-on-first-device-after-hand-off`,
    sentence: `${action} on the first device after it handed over: only one device may take pictures at a time`,
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
    id: 'device.submit-on-second-device-before-continues',
    sentence:
      'Submit on the second device before it continues: scanning the code does not start the hand-off',
    call: async (world) => toCall('POST', 'submit', (await world.create()).handoffToken, {}),
    status: 409,
    message:
      'The session is active on the first device. To continue here, call continue on this device',
  },
  {
    id: 'device.submit-on-first-device-after-cancelled-hand-off',
    sentence:
      'Submit on the first device after it cancelled the hand-off: the shopper may change their mind',
    call: page('POST', 'submit', {}, async (world, session) => {
      await ask('handoffToken', 'continue')(world, session);
      await ask('sessionToken', 'continue')(world, session);
    }),
    status: 200,
    body: facts('verified'),
  },
  {
    id: 'device.cancel-on-first-device-after-handed-over',
    sentence:
      'Cancel on the first device after it handed over: the shopper may cancel on either device',
    call: page('POST', 'cancel', {}, ask('handoffToken', 'continue')),
    status: 200,
    body: facts('cancelled', { reason: 'cancelled', activeDevice: 'second' }),
  },
  {
    id: 'device.continue-on-first-device-again',
    sentence: 'Continue on the first device again: the shopper may change their mind',
    call: page('POST', 'continue', {}, ask('handoffToken', 'continue')),
    status: 200,
    body: facts('pending'),
  },
  {
    id: 'device.second-device-continues-end',
    sentence: 'The second device continues after the end: the session has ended',
    call: async (world) => {
      const { sessionId, handoffToken } = await world.create();
      await world.driver.mock.control.settle(sessionId, 'verified');
      return toCall('POST', 'continue', handoffToken, {});
    },
    status: 409,
    message: 'The session is no longer pending: it is verified',
  },
  {
    id: 'device.second-device-leaves-while-first-open',
    sentence:
      'The second device leaves while the first is open: the session continues on the first device',
    call: page('GET', 'session', undefined, async (world, session) => {
      await ask('sessionToken', 'heartbeat')(world, session);
      await ask('handoffToken', 'continue', 'leave')(world, session);
      await world.driver.advance(60_000);
    }),
    status: 200,
    body: facts('pending'),
  },
  {
    id: 'device.both-devices-leave',
    sentence: 'Both devices leave: no device has the page open any more',
    call: page('GET', 'session', undefined, async (world, session) => {
      await ask('sessionToken', 'heartbeat')(world, session);
      await ask('handoffToken', 'continue')(world, session);
      await ask('sessionToken', 'leave')(world, session);
      await ask('handoffToken', 'leave')(world, session);
      await world.driver.advance(5_000);
    }),
    status: 200,
    body: facts('cancelled', { reason: 'cancelled', activeDevice: 'second' }),
  },
];
