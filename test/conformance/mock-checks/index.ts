import type { Case } from '../../../mock-server/conformance/case-checks.ts';
import { toChecks } from '../../../mock-server/conformance/case-checks.ts';
import type { Check } from '../../../mock-server/conformance/check.ts';
import type { World } from '../../../mock-server/conformance/world.ts';
import {
  create,
  created,
  validateAfter,
  validated,
  withPk,
} from '../../../mock-server/conformance/checks/bodies.ts';
import { HOSTED_CASES } from './hosted.ts';
import { MOCK_EVENT_CHECKS } from './mock-events.ts';
import { settleAs } from './settle.ts';

const needsFaceMatch = (start: string): string =>
  `${start} the scenario failed_face_mismatch, which needs a session with face match enabled`;

const MISMATCH = 'failed_face_mismatch';

const SCENARIOS: readonly Case[] = [
  {
    id: 'scenario.face-mismatch',
    sentence:
      'A session without face match is refused if its externalUserId names a face mismatch, because no face is compared',
    call: create({ externalUserId: `ofage_test:${MISMATCH}`, faceMatchEnabled: false }),
    status: 400,
    message: needsFaceMatch('externalUserId names'),
  },
  {
    id: 'scenario.face-mismatch.account',
    sentence:
      'If the account has no face match, a session whose externalUserId names a face mismatch is refused',
    settings: { faceMatchEnabled: false },
    call: create({ externalUserId: `ofage_test:${MISMATCH}:anna` }, withPk),
    status: 400,
    message: needsFaceMatch('externalUserId names'),
  },
  {
    id: 'scenario.face-mismatch.queued',
    sentence:
      'A session without face match is refused if the next queued outcome is a face mismatch',
    call: async (world) => {
      await queue(world, MISMATCH);
      return create({ faceMatchEnabled: false })(world);
    },
    status: 400,
    message: needsFaceMatch('The next outcome of the account is'),
  },
  {
    id: 'scenario.timeout',
    sentence: 'The scenario "timeout" moves the deadline of a session to the current time',
    call: validateAfter(settleAs('timeout')),
    status: 400,
    message: 'Session has expired',
  },
  {
    id: 'scenario.never',
    sentence: 'The scenario "never" leaves a session pending',
    call: validateAfter(settleAs('never')),
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
    sentence: `An injected fault ${fault} has the same response as a real error, so that clients can be tested`,
    call: async (world) => {
      await addFault(world, fault);
      return create()(world);
    },
    status,
    message,
    headers: { 'x-ratelimit-remaining': remaining, 'x-ratelimit-retry-after': retryAfter },
  })),
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

const ofMock = (row: Case): Case => ({
  level: 'reading',
  needs: ['mock', 'advance'],
  settings: {},
  ...row,
});

/** Checks of features that only the mock has, such as scenarios, faults and the hosted page's API. */
export const MOCK_CHECKS: readonly Check[] = [
  ...toChecks('States and transitions', 'mock.hosted', HOSTED_CASES.map(ofMock)),
  ...toChecks('POST /sessions/create', 'mock', [...SCENARIOS, ...FAULTS].map(ofMock)),
  ...MOCK_EVENT_CHECKS,
];
