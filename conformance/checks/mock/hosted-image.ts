import type { Case } from '../../case-checks.ts';
import { ask, facts, page, submitPoor, toCall } from './hosted-calls.ts';

/** Heartbeats, images and retries. */
export const IMAGE_CASES: readonly Case[] = [
  {
    id: 'image.heartbeat',
    sentence: 'Heartbeat: it reports that the page is open, and returns the state',
    call: page('POST', 'heartbeat', {}),
    status: 200,
    body: facts('pending'),
  },
  {
    id: 'image.heartbeat-unknown-property',
    sentence: 'A heartbeat with an unknown property: unknown properties are rejected everywhere',
    call: page('POST', 'heartbeat', { sessionToken: 'x' }),
    status: 400,
    message: ['property sessionToken should not exist'],
  },
  {
    id: 'image.heartbeats-ten-minutes',
    sentence: 'Heartbeats for ten minutes: a heartbeat does not extend a session',
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
    sentence: 'Submit: a usable image passes by default',
    call: page('POST', 'submit', {}),
    status: 200,
    body: facts('verified'),
  },
  {
    id: 'image.submit-session-scenario',
    sentence: 'Submit for a session with a scenario: the externalUserId names the scenario',
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
    sentence:
      'Submit for a session with the account’s next outcome: the outcome comes from the queue',
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
    sentence: 'A poor image: the shopper may retry in the same session',
    call: page('POST', 'submit', { imageQuality: 'poor' }),
    status: 200,
    body: facts('pending', { needsRetry: true }),
  },
  {
    id: 'image.retry-after-poor-image',
    sentence: 'Retry after a poor image: the page shows the camera again',
    call: page('POST', 'retry', {}, submitPoor()),
    status: 200,
    body: facts('pending', { retries: 1, retriesLeft: 1 }),
  },
  {
    id: 'image.good-image-after-retry',
    sentence: 'A good image after a retry: the session gets one result',
    call: page('POST', 'submit', {}, async (world, session) => {
      await submitPoor()(world, session);
      await ask('sessionToken', 'retry')(world, session);
    }),
    status: 200,
    body: facts('verified', { retries: 1, retriesLeft: 1 }),
  },
  {
    id: 'image.third-poor-image',
    sentence: 'A third poor image: the retries are used up',
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
    sentence: 'Submit before the retry: the page must call retry first',
    call: page('POST', 'submit', {}, submitPoor()),
    status: 409,
    message: 'The last image was not usable: retry first',
  },
  {
    id: 'image.retry-without-poor-image',
    sentence: 'Retry without a poor image: only a poor image can be retried',
    call: page('POST', 'retry', {}),
    status: 409,
    message: 'The last image needs no retry',
  },
  {
    id: 'image.retry-end',
    sentence: 'Retry after the end: a restart needs a new session',
    call: page('POST', 'retry', {}, ask('sessionToken', 'submit')),
    status: 409,
    message: 'The session is no longer pending: it is verified',
  },
  {
    id: 'image.submit-at-deadline',
    sentence: 'Submit at the deadline: at the deadline the session has expired',
    call: page('POST', 'submit', {}, (world) => world.driver.advance(600_000)),
    status: 409,
    message: 'The session is no longer pending: it is expired',
  },
  {
    id: 'image.retry-at-deadline',
    sentence: 'Retry at the deadline: at the deadline the session has expired',
    call: page('POST', 'retry', {}, async (world, session) => {
      await submitPoor()(world, session);
      await world.driver.advance(600_000);
    }),
    status: 409,
    message: 'The session is no longer pending: it is expired',
  },
  {
    id: 'image.submit-blocked-session',
    sentence: 'Submit for a blocked session: a blocked session cannot start a verification',
    settings: { billingBlock: { code: 'SANDBOX_LIMIT_REACHED', message: 'Enough played' } },
    call: page('POST', 'submit', { imageQuality: 'poor' }),
    status: 409,
    message: 'Verification cannot start: the account is blocked',
  },
  {
    id: 'image.image-unknown-quality',
    sentence: 'An image with an unknown quality: the message lists the valid values',
    call: page('POST', 'submit', { imageQuality: 'great' }),
    status: 400,
    message: ['imageQuality must be one of the following values: good, poor'],
  },
  {
    id: 'image.unknown-scenario-externaluserid',
    sentence: 'An unknown scenario in externalUserId: an unknown scenario name is ignored',
    call: page('GET', 'session', undefined, undefined, { externalUserId: 'ofage_test:nonsense' }),
    status: 200,
    body: facts('pending', { externalUserId: 'ofage_test:nonsense' }),
  },
  {
    id: 'image.blocked-session',
    sentence: 'A blocked session: the page shows the block and starts no verification',
    settings: { billingBlock: { code: 'SUBSCRIPTION_REQUIRED', message: 'Subscribe first' } },
    call: page('GET', 'session'),
    status: 200,
    body: facts('pending', {
      billingBlock: { code: 'SUBSCRIPTION_REQUIRED', message: 'Subscribe first' },
    }),
  },
];
