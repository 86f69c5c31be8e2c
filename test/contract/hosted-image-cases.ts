import type { ContractCase } from './case.ts';
import { ask, facts, page, submitPoor, toCall } from './hosted-calls.ts';

/** Heartbeats, images and retries. */
export const IMAGE_CASES: readonly ContractCase[] = [
  {
    name: 'heartbeat',
    why: 'it reports that the page is open, and returns the state',
    call: page('POST', 'heartbeat', {}),
    status: 200,
    body: facts('pending'),
  },
  {
    name: 'a heartbeat with an unknown property',
    why: 'unknown properties are rejected everywhere',
    call: page('POST', 'heartbeat', { sessionToken: 'x' }),
    status: 400,
    message: ['property sessionToken should not exist'],
  },
  {
    name: 'heartbeats for ten minutes',
    why: 'a heartbeat does not extend a session',
    call: page('POST', 'heartbeat', {}, async (world, session) => {
      for (let minute = 0; minute < 10; minute += 1) {
        await ask('sessionToken', 'heartbeat')(world, session);
        await world.host.clock.advance(60_000);
      }
    }),
    status: 200,
    body: facts('expired'),
  },
  {
    name: 'submit',
    why: 'a usable image passes by default',
    call: page('POST', 'submit', {}),
    status: 200,
    body: facts('verified'),
  },
  {
    name: 'submit for a session with a scenario',
    why: 'the externalUserId names the scenario',
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
    name: 'submit for a session with the account’s next outcome',
    why: 'the outcome comes from the queue',
    call: async (world) => {
      await world.control.queueNextOutcomes(world.tenantId, ['failed_document_rejected']);
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
    name: 'a poor image',
    why: 'the shopper may retry in the same session',
    call: page('POST', 'submit', { imageQuality: 'poor' }),
    status: 200,
    body: facts('pending', { needsRetry: true }),
  },
  {
    name: 'retry after a poor image',
    why: 'the page shows the camera again',
    call: page('POST', 'retry', {}, submitPoor()),
    status: 200,
    body: facts('pending', { retries: 1, retriesLeft: 1 }),
  },
  {
    name: 'a good image after a retry',
    why: 'the session gets one result',
    call: page('POST', 'submit', {}, async (world, session) => {
      await submitPoor()(world, session);
      await ask('sessionToken', 'retry')(world, session);
    }),
    status: 200,
    body: facts('verified', { retries: 1, retriesLeft: 1 }),
  },
  {
    name: 'a third poor image',
    why: 'the retries are used up',
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
    name: 'submit before the retry',
    why: 'the page must call retry first',
    call: page('POST', 'submit', {}, submitPoor()),
    status: 409,
    message: 'The last image was not usable: retry first',
  },
  {
    name: 'retry without a poor image',
    why: 'only a poor image can be retried',
    call: page('POST', 'retry', {}),
    status: 409,
    message: 'The last image needs no retry',
  },
  {
    name: 'retry after the end',
    why: 'a restart needs a new session',
    call: page('POST', 'retry', {}, ask('sessionToken', 'submit')),
    status: 409,
    message: 'The session is no longer pending: it is verified',
  },
  {
    name: 'submit at the deadline',
    why: 'at the deadline the session has expired',
    call: page('POST', 'submit', {}, (world) => world.host.clock.advance(600_000)),
    status: 409,
    message: 'The session is no longer pending: it is expired',
  },
  {
    name: 'retry at the deadline',
    why: 'at the deadline the session has expired',
    call: page('POST', 'retry', {}, async (world, session) => {
      await submitPoor()(world, session);
      await world.host.clock.advance(600_000);
    }),
    status: 409,
    message: 'The session is no longer pending: it is expired',
  },
  {
    name: 'submit for a blocked session',
    why: 'a blocked session cannot start a verification',
    tenant: { billingBlock: { code: 'SANDBOX_LIMIT_REACHED', message: 'Enough played' } },
    call: page('POST', 'submit', { imageQuality: 'poor' }),
    status: 409,
    message: 'Verification cannot start: the account is blocked',
  },
  {
    name: 'an image with an unknown quality',
    why: 'the message lists the valid values',
    call: page('POST', 'submit', { imageQuality: 'great' }),
    status: 400,
    message: ['imageQuality must be one of the following values: good, poor'],
  },
  {
    name: 'an unknown scenario in externalUserId',
    why: 'an unknown scenario name is ignored',
    call: page('GET', 'session', undefined, undefined, { externalUserId: 'ofage_test:nonsense' }),
    status: 200,
    body: facts('pending', { externalUserId: 'ofage_test:nonsense' }),
  },
  {
    name: 'a blocked session',
    why: 'the page shows the block and starts no verification',
    tenant: { billingBlock: { code: 'SUBSCRIPTION_REQUIRED', message: 'Subscribe first' } },
    call: page('GET', 'session'),
    status: 200,
    body: facts('pending', {
      billingBlock: { code: 'SUBSCRIPTION_REQUIRED', message: 'Subscribe first' },
    }),
  },
];
