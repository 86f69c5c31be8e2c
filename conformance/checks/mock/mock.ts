import type { Case } from '../../case-checks.ts';
import { toChecks } from '../../case-checks.ts';
import type { Check } from '../../check.ts';
import { post } from '../../exchange.ts';
import { expectMatch, show, TEXT } from '../../matchers.ts';
import { ensure } from '../../outcome.ts';
import type { World } from '../../world.ts';
import { create, created, validateAfter, validated, withPk } from '../bodies.ts';
import { defineChecks, type CheckRow } from '../define.ts';
import { DEVICE_CASES } from './hosted-device.ts';
import { IMAGE_CASES } from './hosted-image.ts';
import { OUTCOME_CASES } from './hosted-outcome.ts';

const needsFaceMatch = (start: string): string =>
  `${start} the scenario failed_face_mismatch, which needs a session with face match enabled`;

const MISMATCH = 'failed_face_mismatch';

const SCENARIOS: readonly Case[] = [
  {
    id: 'scenario.face-mismatch',
    sentence:
      'A face mismatch is refused for a session without face match, because no face is compared',
    call: create({ externalUserId: `ofage_test:${MISMATCH}`, faceMatchEnabled: false }),
    status: 400,
    message: needsFaceMatch('externalUserId names'),
  },
  {
    id: 'scenario.face-mismatch.account',
    sentence: 'A face mismatch is refused for an account without face match',
    settings: { faceMatchEnabled: false },
    call: create({ externalUserId: `ofage_test:${MISMATCH}:anna` }, withPk),
    status: 400,
    message: needsFaceMatch('externalUserId names'),
  },
  {
    id: 'scenario.face-mismatch.queued',
    sentence:
      'A queued face mismatch is refused for a session without face match, and stays in the queue',
    call: async (world) => {
      await queue(world, MISMATCH);
      return create({ faceMatchEnabled: false })(world);
    },
    status: 400,
    message: needsFaceMatch('The next outcome of the account is'),
  },
  {
    id: 'scenario.timeout',
    sentence: 'The scenario "timeout" moves the deadline of a session to now',
    call: validateAfter((world, { sessionId }) => settle(world, sessionId, 'timeout')),
    status: 400,
    message: 'Session has expired',
  },
  {
    id: 'scenario.timeout.other-account',
    sentence:
      'The owner of a session is checked before its state, also after the scenario "timeout"',
    call: async (world) => {
      const call = await validateAfter((_world, { sessionId }) =>
        settle(world, sessionId, 'timeout'),
      )(world);
      const other = await world.driver.createAccount({});
      return { ...call, headers: post('', {}, other.secretKey).headers };
    },
    status: 403,
    message: 'Session does not belong to this tenant',
  },
  {
    id: 'scenario.never',
    sentence: 'The scenario "never" leaves a session pending',
    call: validateAfter((world, { sessionId }) => settle(world, sessionId, 'never')),
    status: 200,
    body: validated('pending'),
  },
];

const FAULTS: readonly Case[] = [
  ...(
    [
      ['429', 429, 'Too Many Requests', '0', '60'],
      ['500', 500, 'Internal server error', '299', null],
      ['503', 503, 'Service Unavailable', '299', null],
    ] as const
  ).map(([fault, status, message, remaining, retryAfter]): Case => ({
    id: `fault.${fault}`,
    sentence: `An injected fault ${fault} is answered like a real one, so that clients can be tested`,
    call: async (world) => {
      await addFault(world, fault);
      return create()(world);
    },
    status,
    message,
    headers: { 'x-ratelimit-remaining': remaining, 'x-ratelimit-retry-after': retryAfter },
  })),
  {
    id: 'fault.once',
    sentence: 'The request after a fault succeeds',
    call: async (world) => {
      await addFault(world, '500');
      await world.send(create()(world));
      return create()(world);
    },
    status: 201,
    body: created(),
  },
  {
    id: 'fault.other-account',
    sentence:
      'A fault of another account has no effect, so that parallel tests do not disturb each other',
    call: async (world) => {
      const { tenantId } = await world.driver.createAccount({});
      await addFault(world, '500', tenantId);
      return create()(world);
    },
    status: 201,
    body: created(),
  },
];

type Control = World['driver']['mock']['control'];

async function settle(
  { driver }: World,
  sessionId: string,
  scenario: Parameters<Control['settle']>[1],
): Promise<void> {
  await driver.mock.control.settle(sessionId, scenario);
}

async function queue({ driver, account }: World, scenario: typeof MISMATCH): Promise<void> {
  await driver.mock.control.queueNextOutcomes(account.tenantId ?? '', [scenario]);
}

async function addFault(
  { driver, account }: World,
  fault: '429' | '500' | '503',
  tenantId: string | null = account.tenantId ?? null,
): Promise<void> {
  await driver.mock.control.addFault({ operation: 'create', fault, tenantId });
}

const EVENTS: readonly CheckRow[] = [
  {
    id: 'same-as-received',
    sentence:
      'The control API lists exactly the bodies and the eventIds that an endpoint has received',
    async run(world) {
      const hook = await world.hook();
      const { sessionId } = await world.create();
      await settle(world, sessionId, 'verified');
      const received = await hook.waitFor(2);
      const events = await world.driver.mock.control.events({ sessionId });
      const kinds = events.map(({ event }) => event);
      ensure(kinds.join() === 'session.started,verification.completed', 'two events', show(kinds));
      const texts = received.map(({ bytes }) => new TextDecoder().decode(bytes)).sort();
      expectMatch('the bodies', texts, events.map(({ body }) => body).sort(), true);
      const completed = received.find(({ body }) => body.event === 'verification.completed');
      expectMatch('eventId', completed?.body.eventId, events[1]?.id, true);
    },
  },
  {
    id: 'deliveries',
    sentence: 'The control API shows one successful attempt for each event',
    async run(world) {
      const hook = await world.hook();
      const { sessionId } = await world.create();
      await settle(world, sessionId, 'verified');
      await hook.waitFor(2);
      await world.driver.advance(0);
      const deliveries = await world.driver.mock.control.deliveries({ sessionId });
      const expected = {
        status: 'delivered',
        reason: null,
        attempts: [{ n: 1, outcome: 'ok', httpStatus: 204 }],
      };
      expectMatch('the deliveries', deliveries, [expected, expected], false);
    },
  },
  ...(
    [
      ['verified_after_id', 'verification.completed', {}],
      ['failed_age_not_met', 'verification.failed', { reason: 'age_not_met' }],
      ['failed_image_quality', 'verification.failed', { reason: 'image_quality' }],
      ['failed_document_rejected', 'verification.failed', { reason: 'document_rejected' }],
      ['failed_face_mismatch', 'verification.failed', { reason: 'face_mismatch' }],
    ] as const
  ).map(([scenario, event, data]): CheckRow => ({
    id: `scenario.${scenario}`,
    sentence: `The scenario ${scenario} sends one ${event}, with its reason`,
    async run(world) {
      const hook = await world.hook();
      const createdAtMs = await world.now();
      const { sessionId } = await world.create();
      await hook.waitForEvent('session.started');
      await world.driver.advance(1_000);
      await settle(world, sessionId, scenario);
      const [webhook] = await hook.waitForEvent(event);
      const timestamp = world.at(createdAtMs + 1_000);
      expectMatch(
        'the payload',
        webhook?.body,
        {
          event,
          timestamp,
          tenantId: world.account.tenantId,
          test: false,
          data: {
            sessionId,
            verificationMode: 'L1',
            challengeAge: 25,
            verified: event === 'verification.completed',
            timestamp,
            ...data,
          },
          eventId: TEXT,
        },
        true,
      );
      const { length } = await hook.quiet();
      ensure(length === 2, 'two webhooks', `${length}`);
    },
  })),
  {
    id: 'scenario.timeout',
    sentence: 'The scenario "timeout" sends a session.timeout whose deadline is now',
    async run(world) {
      const hook = await world.hook();
      const { sessionId } = await world.create();
      await world.driver.advance(1_000);
      await settle(world, sessionId, 'timeout');
      const [webhook] = await hook.waitForEvent('session.timeout');
      const now = world.at(await world.now());
      const data = { sessionId, verificationMode: 'L1', challengeAge: 25, expiresAt: now };
      const expected = {
        event: 'session.timeout',
        timestamp: now,
        tenantId: world.account.tenantId,
        test: false,
        data: { ...data, timestamp: now },
        eventId: TEXT,
      };
      expectMatch('the payload', webhook?.body, expected, true);
    },
  },
  {
    id: 'deadline',
    sentence:
      'A result that arrives at the deadline is refused, and only the session.timeout is sent',
    async run(world) {
      const hook = await world.hook();
      const { sessionId } = await world.create();
      await world.driver.advance(600_000);
      const refusal = await settle(world, sessionId, 'verified').catch(String);
      const isRefused = String(refusal).includes('The session is no longer pending: it is expired');
      ensure(isRefused, 'a refusal, because the session is expired', String(refusal));
      await hook.waitForEvent('session.timeout');
      const kinds = (await hook.quiet()).map(({ body }) => body.event);
      ensure(
        kinds.join() === 'session.started,session.timeout',
        'a start and a timeout',
        show(kinds),
      );
    },
  },
];

const PAUSES: readonly CheckRow[] = [
  {
    id: 'notice',
    sentence: 'A pause is shown in one notice, and one e-mail is sent to owners and admins',
    async run(world) {
      const { control } = world.driver.mock;
      const { tenantId = '' } = world.account;
      const hook = await world.hook({ events: ['session.started', 'verification.completed'] });
      hook.respond(() => ({ status: 410 }));
      await world.settle(await world.create(), 'verified');
      await world.driver.advance(5 * 3_600_000);
      const { length: notices } = await control.notices({ tenantId });
      const { length: emails } = await control.emails({ tenantId });
      ensure(notices === 1 && emails === 1, '1 notice and 1 e-mail', `${notices} and ${emails}`);
    },
  },
];

const ofMock = (row: Case): Case => ({
  level: 'reading',
  needs: ['mock', 'advance'],
  settings: {},
  ...row,
});

/** What only the mock has: the hosted page's API, scenarios, faults and lists of events. */
export const MOCK_CHECKS: readonly Check[] = [
  ...toChecks(
    'Hosted page of the mock',
    'mock.hosted',
    [...DEVICE_CASES, ...IMAGE_CASES, ...OUTCOME_CASES].map(ofMock),
  ),
  ...toChecks('POST /sessions/create', 'mock', [...SCENARIOS, ...FAULTS].map(ofMock)),
  ...defineChecks(
    {
      section: 'Events',
      prefix: 'mock.events',
      needs: ['mock', 'advance', 'addEndpoint', 'settle'],
    },
    [...EVENTS, ...PAUSES].map((row) => ({ level: 'reading', settings: {}, ...row })),
  ),
];
