import type { Check } from '../check.ts';
import { expectMessage } from '../case-checks.ts';
import { describeAnswer, CREATE, post } from '../exchange.ts';
import { ABSENT, expectMatch, ISO_TIME, UUID } from '../matchers.ts';
import { ensure } from '../outcome.ts';
import type { World } from '../world.ts';
import { LIFETIME_MS } from './bodies.ts';
import type { CheckRow } from './define.ts';

const toCheck = (row: CheckRow): Check => ({
  section: 'Session',
  level: 'must',
  kind: 'safe',
  needs: [],
  ...row,
});

const RACE = 50;

const RACES: readonly CheckRow[] = [
  {
    id: 'validate.race',
    section: 'POST /sessions/validate',
    sentence: 'A session is validated only once, even if 50 requests arrive at the same time',
    needs: ['settle'],
    async run(world) {
      const session = await world.create();
      await world.settle(session, 'verified');
      const answers = await Promise.all(
        Array.from({ length: RACE }, () => world.validate(session.sessionId)),
      );
      const statuses = answers.map(({ status }) => status).sort();
      const expected = [200, ...Array.from({ length: RACE - 1 }, () => 400)];
      const count = statuses.filter((status) => status === 200).length;
      ensure(
        statuses.join() === expected.join(),
        `one 200 and ${RACE - 1} times 400`,
        `${count} times 200, and otherwise ${statuses.slice(count).join(', ') || 'nothing'}`,
      );
    },
  },
  {
    id: 'session.unique',
    sentence: 'Every session has a different id, different tokens and a different verifyUrl',
    async run(world) {
      const made = await Promise.all(Array.from({ length: 20 }, () => world.create()));
      for (const field of ['sessionId', 'sessionToken', 'handoffToken', 'verifyUrl'] as const) {
        const { size } = new Set(made.map((session) => session[field]));
        ensure(size === made.length, `${made.length} different values of ${field}`, `${size}`);
      }
    },
  },
];

async function readContentType(world: World): Promise<string> {
  const call = post(CREATE, { returnUrl: world.account.returnUrl }, world.sk);
  return (await world.send(call)).headers.get('content-type') ?? 'none';
}

const FIELDS: readonly CheckRow[] = [
  {
    id: 'session.id.uuid',
    sentence: 'The sessionId has the form of a UUID',
    async run(world) {
      const { sessionId } = await world.create();
      expectMatch('sessionId', sessionId, UUID, false);
    },
  },
  {
    id: 'session.id.v4',
    sentence: 'The sessionId is a random UUID in lower case (version 4, RFC 9562)',
    level: 'reading',
    async run(world) {
      const { sessionId } = await world.create();
      const isV4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
      ensure(isV4.test(sessionId), 'a UUID of version 4', sessionId);
    },
  },
  {
    id: 'session.content-type',
    section: 'POST /sessions/create',
    sentence: 'The Content-Type of a create response is application/json',
    async run(world) {
      const type = await readContentType(world);
      ensure(/^application\/json(;|$)/.test(type), 'application/json', type);
    },
  },
  {
    id: 'session.content-type.charset',
    section: 'POST /sessions/create',
    sentence: 'The Content-Type names the charset UTF-8',
    level: 'reading',
    async run(world) {
      const type = await readContentType(world);
      ensure(type === 'application/json; charset=utf-8', 'application/json; charset=utf-8', type);
    },
  },
  {
    id: 'session.expiresAt.iso',
    sentence: 'The expiresAt is an ISO 8601 time',
    async run(world) {
      const { expiresAt } = await world.create();
      expectMatch('expiresAt', expiresAt, ISO_TIME, false);
    },
  },
  {
    id: 'session.token.not-jwt',
    sentence: 'The sessionToken is opaque and does not have the form of a JWT',
    async run(world) {
      const { sessionToken } = await world.create();
      ensure(
        !/^[\w-]+\.[\w-]+\.[\w-]+$/.test(sessionToken),
        'a token that is not a JWT',
        'three parts separated by dots',
      );
    },
  },
  {
    id: 'session.token.long',
    sentence:
      'The sessionToken and the handoffToken have at least 40 characters, so that they cannot be guessed, and no dot',
    level: 'reading',
    async run(world) {
      const { sessionToken, handoffToken } = await world.create();
      for (const token of [sessionToken, handoffToken])
        ensure(
          /^[^.]{40,}$/.test(token),
          'at least 40 characters without a dot',
          `${token.length} characters ${token.includes('.') ? 'with' : 'without'} a dot`,
        );
    },
  },
  {
    id: 'session.id.unlike-token',
    sentence: 'The sessionToken and the handoffToken are different credentials',
    async run(world) {
      const { sessionToken, handoffToken } = await world.create();
      ensure(sessionToken !== handoffToken, 'two different tokens', 'the same token twice');
    },
  },
  {
    id: 'session.verifyUrl.id',
    sentence: 'The verifyUrl contains the sessionId',
    async run(world) {
      const { verifyUrl, sessionId } = await world.create();
      ensure(verifyUrl.includes(sessionId), 'the sessionId in verifyUrl', 'a URL without it');
    },
  },
  {
    id: 'session.verifyUrl.token',
    sentence: 'The verifyUrl contains the sessionToken',
    async run(world) {
      const { verifyUrl, sessionToken } = await world.create();
      const isThere = decodeURIComponent(verifyUrl).includes(sessionToken);
      ensure(isThere, 'the sessionToken in verifyUrl', 'a URL without it');
    },
  },
  {
    id: 'session.verifyUrl.web-address',
    sentence: 'The verifyUrl is an absolute web address',
    async run(world) {
      const { verifyUrl } = await world.create();
      ensure(
        /^https?:\/\//.test(verifyUrl) && URL.canParse(verifyUrl),
        'an absolute web address',
        verifyUrl,
      );
    },
  },
  {
    id: 'session.verifyUrl.last-parameters',
    sentence: 'The query of the verifyUrl contains exactly the sessionId and the sessionToken',
    level: 'reading',
    async run(world) {
      const { verifyUrl } = await world.create();
      const query = new URL(verifyUrl).search;
      const isExact = /^\?sessionId=[^&]+&sessionToken=[^&]+$/.test(query);
      ensure(isExact, '?sessionId=…&sessionToken=…', [...new URLSearchParams(query).keys()].join());
    },
  },
  {
    id: 'session.verifyUrl.no-policy',
    sentence:
      'The verifyUrl does not contain faceMatchEnabled, which is never a parameter of the page',
    section: 'Verification UI query parameters',
    async run(world) {
      const { verifyUrl } = await world.create({ faceMatchEnabled: false });
      ensure(!/faceMatch/i.test(verifyUrl), 'no faceMatchEnabled', verifyUrl.replace(/\?.*/, '?…'));
    },
  },
];

/** Checks of fields and values that a response must not contain. */
const FORBIDDEN: readonly CheckRow[] = [
  {
    id: 'validate.no-estimatedAge',
    section: 'Versioning',
    sentence: 'A validate response does not contain the deprecated estimatedAge',
    needs: ['settle'],
    async run(world) {
      const session = await world.create();
      await world.settle(session, 'verified');
      const { json } = await world.validate(session.sessionId);
      expectMatch('the body', json, { estimatedAge: ABSENT }, false);
    },
  },
  {
    id: 'validate.no-tokens',
    section: 'POST /sessions/validate',
    sentence: 'A validate response contains no token',
    async run(world) {
      const session = await world.create();
      const answer = await world.validate(session.sessionId);
      const isThere =
        answer.text.includes(session.sessionToken) || answer.text.includes(session.handoffToken);
      ensure(!isThere, 'no token in the response', describeAnswer(answer));
    },
  },
  {
    id: 'validate.testMode',
    section: 'Versioning',
    sentence: 'The deprecated testMode is always false',
    async run(world) {
      const { sessionId } = await world.create();
      expectMatch('the body', (await world.validate(sessionId)).json, { testMode: false }, false);
    },
  },
  {
    id: 'errors.no-secrets',
    section: 'Errors',
    sentence: 'An error does not repeat the key of the request',
    async run(world) {
      const answer = await world.send(post(CREATE, { a: 1 }, world.sk));
      ensure(!answer.text.includes(world.sk), 'no key in the response', 'a response with the key');
    },
  },
];

/** Checks of the states of a session. An expired session has no status of its own: validate refuses it. */
const STATES: readonly CheckRow[] = [
  {
    id: 'states.no-extension',
    section: 'States and transitions',
    sentence: 'Validating a pending session does not extend it',
    kind: 'slow',
    needs: ['advance'],
    async run(world) {
      const { sessionId } = await world.create();
      await world.driver.advance(LIFETIME_MS / 2);
      await world.validate(sessionId);
      await world.driver.advance(LIFETIME_MS / 2);
      const answer = await world.validate(sessionId);
      ensure(answer.status === 400, 'status 400', describeAnswer(answer));
      expectMessage(answer, 'Session has expired');
    },
  },
  {
    id: 'states.no-inactivity-timeout',
    section: 'States and transitions',
    sentence: 'A session without any activity is still pending after nine and a half minutes',
    kind: 'slow',
    needs: ['advance'],
    async run(world) {
      const { sessionId } = await world.create();
      await world.driver.advance(LIFETIME_MS - 30_000);
      const { json } = await world.validate(sessionId);
      expectMatch('the body', json, { status: 'pending' }, false);
    },
  },
  {
    id: 'states.separate',
    section: 'States and transitions',
    sentence: 'The end of one session leaves other sessions pending',
    needs: ['settle'],
    async run(world) {
      const [first, second] = [await world.create(), await world.create()];
      await world.settle(first, 'verified');
      const { json } = await world.validate(second.sessionId);
      expectMatch('the body', json, { status: 'pending', verified: false }, false);
    },
  },
  ...(['failed', 'cancelled'] as const).map((status): CheckRow => ({
    id: `states.${status}.no-access`,
    section: 'States and transitions',
    sentence: `A ${status} session grants no access`,
    needs: ['settle'],
    async run(world) {
      const session = await world.create();
      await world.settle(session, status);
      const { json } = await world.validate(session.sessionId);
      expectMatch('the body', json, { status, verified: false, accessGranted: false }, false);
    },
  })),
];

/** Checks of the fields and states of sessions, and of concurrent requests. */
export const SESSION_CHECKS: readonly Check[] = [...RACES, ...FIELDS, ...FORBIDDEN, ...STATES].map(
  toCheck,
);
