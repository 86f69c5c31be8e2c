import type { Case } from '../../../conformance/case-checks.ts';
import { ask, facts, page, submitPoor, toCall } from './hosted-calls.ts';

/** Cases of heartbeats, images and retries. */
export const IMAGE_CASES: readonly Case[] = [
  {
    id: 'image.heartbeat',
    sentence:
      'A heartbeat reports that the page is open, and the response contains the state of the session',
    call: page('POST', 'heartbeat', {}),
    status: 200,
    body: facts('pending'),
  },
  {
    id: 'image.heartbeat-unknown-property',
    sentence: 'A heartbeat with an unknown property is refused',
    call: page('POST', 'heartbeat', { sessionToken: 'x' }),
    status: 400,
    message: ['property sessionToken should not exist'],
  },
  {
    id: 'image.heartbeats-ten-minutes',
    sentence: 'Heartbeats do not extend a session beyond ten minutes',
    call: page('POST', 'heartbeat', {}, async (world, session) => {
      for (let minute = 0; minute < 10; minute += 1) {
        await ask('sessionToken', 'heartbeat')(world, session);
        await world.driver.advance(60_000);
      }
    }),
    status: 200,
    body: facts('expired'),
  },
  {
    id: 'image.submit',
    sentence: 'A usable image verifies the session by default',
    call: page('POST', 'submit', {}),
    status: 200,
    body: facts('verified'),
  },
  {
    id: 'image.submit-session-scenario',
    sentence: 'A submitted image ends the session with the scenario that the externalUserId names',
    call: page('POST', 'submit', {}, undefined, {
      externalUserId: 'ofage_test:failed_age_not_met',
    }),
    status: 200,
    body: facts('failed', {
      reason: 'age_not_met',
      externalUserId: 'ofage_test:failed_age_not_met',
      presetOutcome: 'failed_age_not_met',
    }),
  },
  {
    id: 'image.submit-session-accounts-next-outcome',
    sentence: 'A submitted image ends the session with the outcome that was queued for the account',
    call: async (world) => {
      await world.driver.mock.control.queueNextOutcomes(world.account.tenantId ?? '', [
        'failed_document_rejected',
      ]);
      const { sessionToken } = await world.create();
      return toCall('POST', 'submit', sessionToken, { imageQuality: 'good' });
    },
    status: 200,
    body: facts('failed', {
      reason: 'document_rejected',
      presetOutcome: 'failed_document_rejected',
    }),
  },
  {
    id: 'image.poor-image',
    sentence: 'After a poor image, the shopper may retry in the same session',
    call: page('POST', 'submit', { imageQuality: 'poor' }),
    status: 200,
    body: facts('pending', { needsRetry: true }),
  },
  {
    id: 'image.retry-after-poor-image',
    sentence: 'A retry after a poor image uses up one of two retries',
    call: page('POST', 'retry', {}, submitPoor()),
    status: 200,
    body: facts('pending', { retries: 1, retriesLeft: 1 }),
  },
  {
    id: 'image.good-image-after-retry',
    sentence: 'A good image after a retry verifies the session',
    call: page('POST', 'submit', {}, async (world, session) => {
      await submitPoor()(world, session);
      await ask('sessionToken', 'retry')(world, session);
    }),
    status: 200,
    body: facts('verified', { retries: 1, retriesLeft: 1 }),
  },
  {
    id: 'image.third-poor-image',
    sentence: 'A third poor image fails the session, because the retries are used up',
    call: page('POST', 'submit', { imageQuality: 'poor' }, async (world, session) => {
      for (let n = 0; n < 2; n += 1) {
        await submitPoor()(world, session);
        await ask('sessionToken', 'retry')(world, session);
      }
    }),
    status: 200,
    body: facts('failed', { reason: 'image_quality', retries: 2, retriesLeft: 0 }),
  },
  {
    id: 'image.submit-before-retry',
    sentence: 'After a poor image, another image is refused until the page has called retry',
    call: page('POST', 'submit', {}, submitPoor()),
    status: 409,
    message: 'The last image was not usable: retry first',
  },
  {
    id: 'image.retry-without-poor-image',
    sentence: 'A retry is refused if no poor image was submitted',
    call: page('POST', 'retry', {}),
    status: 409,
    message: 'The last image needs no retry',
  },
  {
    id: 'image.retry-end',
    sentence: 'A retry is refused after the session has ended',
    call: page('POST', 'retry', {}, ask('sessionToken', 'submit')),
    status: 409,
    message: 'The session is no longer pending: its status is verified',
  },
  {
    id: 'image.submit-at-deadline',
    sentence: 'An image is refused at the deadline, because the session has expired',
    call: page('POST', 'submit', {}, (world) => world.driver.advance(600_000)),
    status: 409,
    message: 'The session is no longer pending: its status is expired',
  },
  {
    id: 'image.retry-at-deadline',
    sentence: 'A retry is refused at the deadline, because the session has expired',
    call: page('POST', 'retry', {}, async (world, session) => {
      await submitPoor()(world, session);
      await world.driver.advance(600_000);
    }),
    status: 409,
    message: 'The session is no longer pending: its status is expired',
  },
  {
    id: 'image.submit-blocked-session',
    sentence:
      'An image is refused if the account is blocked, because verification cannot start then',
    settings: { billingBlock: { code: 'SANDBOX_LIMIT_REACHED', message: 'Enough played' } },
    call: page('POST', 'submit', { imageQuality: 'poor' }),
    status: 409,
    message: 'Verification cannot start: the account is blocked',
  },
  {
    id: 'image.image-unknown-quality',
    sentence: 'An image with an unknown quality is refused, and the message lists the valid values',
    call: page('POST', 'submit', { imageQuality: 'great' }),
    status: 400,
    message: ['imageQuality must be one of the following values: good, poor'],
  },
  {
    id: 'image.unknown-scenario-externaluserid',
    sentence: 'An unknown scenario in the externalUserId is ignored',
    call: page('GET', 'session', undefined, undefined, { externalUserId: 'ofage_test:nonsense' }),
    status: 200,
    body: facts('pending', { externalUserId: 'ofage_test:nonsense' }),
  },
  {
    id: 'image.blocked-session',
    sentence: 'The page receives the billing block if the account is blocked',
    settings: { billingBlock: { code: 'SUBSCRIPTION_REQUIRED', message: 'Subscribe first' } },
    call: page('GET', 'session'),
    status: 200,
    body: facts('pending', {
      billingBlock: { code: 'SUBSCRIPTION_REQUIRED', message: 'Subscribe first' },
    }),
  },
];
