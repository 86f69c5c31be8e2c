import type { Case } from '../../../conformance/case-checks.ts';
import { ask, facts, page, toCall } from './hosted-calls.ts';

const SECOND = { device: 'second', handoffUrl: null };

/** Cases of the session data for the page, and of the hand-off between two devices. */
export const DEVICE_CASES: readonly Case[] = [
  {
    id: 'device.pending-session',
    sentence:
      'The page of a pending session receives its data and the scenario that its externalUserId names',
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
    sentence: 'A handoffToken gives access to the session as the second device',
    call: async (world) => toCall('GET', 'session', (await world.create()).handoffToken),
    status: 200,
    body: facts('pending', SECOND),
  },
  {
    id: 'device.continue-on-second-device',
    sentence: 'The second device becomes active when it calls continue',
    call: async (world) => toCall('POST', 'continue', (await world.create()).handoffToken, {}),
    status: 200,
    body: facts('pending', { ...SECOND, activeDevice: 'second' }),
  },
  {
    id: 'device.first-device-hand-off',
    sentence:
      'After the hand-off, the first device receives the state with the second device as the active one',
    call: page('GET', 'session', undefined, ask('handoffToken', 'continue')),
    status: 200,
    body: facts('pending', { activeDevice: 'second' }),
  },
  {
    id: 'device.first-device-second-ended-session',
    sentence: 'The first device receives the outcome after the second device has ended the session',
    call: page('POST', 'heartbeat', {}, ask('handoffToken', 'continue', 'submit')),
    status: 200,
    body: facts('verified', { activeDevice: 'second' }),
  },
  ...(['submit', 'retry', 'outcome'] as const).map((action): Case => ({
    id: `device.${action}-on-first-device-after-hand-off`,
    sentence: `After the hand-off, ${action} is refused on the first device, because only one device may take pictures at a time`,
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
      'Submit is refused on the second device before it calls continue, because scanning the QR code does not start the hand-off',
    call: async (world) => toCall('POST', 'submit', (await world.create()).handoffToken, {}),
    status: 409,
    message:
      'The session is active on the first device. To continue here, call continue on this device',
  },
  {
    id: 'device.submit-on-first-device-after-cancelled-hand-off',
    sentence: 'The first device may submit an image after it has cancelled the hand-off',
    call: page('POST', 'submit', {}, async (world, session) => {
      await ask('handoffToken', 'continue')(world, session);
      await ask('sessionToken', 'continue')(world, session);
    }),
    status: 200,
    body: facts('verified'),
  },
  {
    id: 'device.cancel-on-first-device-after-handed-over',
    sentence: 'After the hand-off, the shopper may still cancel on the first device',
    call: page('POST', 'cancel', {}, ask('handoffToken', 'continue')),
    status: 200,
    body: facts('cancelled', { reason: 'cancelled', activeDevice: 'second' }),
  },
  {
    id: 'device.continue-on-first-device-again',
    sentence: 'After the hand-off, the first device becomes active again when it calls continue',
    call: page('POST', 'continue', {}, ask('handoffToken', 'continue')),
    status: 200,
    body: facts('pending'),
  },
  {
    id: 'device.second-device-continues-end',
    sentence: 'Continue is refused on the second device after the session has ended',
    call: async (world) => {
      const { sessionId, handoffToken } = await world.create();
      await world.driver.mock.control.settle(sessionId, 'verified');
      return toCall('POST', 'continue', handoffToken, {});
    },
    status: 409,
    message: 'The session is no longer pending: its status is verified',
  },
  {
    id: 'device.second-device-leaves-while-first-open',
    sentence:
      'When the second device leaves while the first is open, the session continues on the first device',
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
    sentence: 'The session is cancelled after both devices have left',
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
