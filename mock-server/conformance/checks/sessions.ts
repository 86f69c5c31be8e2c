import { forEach, type Check } from '../check.ts';
import type { CreatedSession } from '../driver.ts';
import { readMessage } from '../case-checks.ts';
import { describeAnswer, CREATE, post } from '../exchange.ts';
import { ABSENT, expectMatch, ISO_TIME, UUID } from '../matchers.ts';
import { ensure } from '../outcome.ts';
import { create, LIFETIME_MS, validateAfter } from './bodies.ts';
import { defineChecks, type CheckRow } from './define.ts';

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

interface SessionRow extends Pick<CheckRow, 'id' | 'sentence' | 'level' | 'section'> {
  /** Returns true, or a phrase for the mistake in the session. */
  readonly test: (session: CreatedSession) => true | string;
  readonly expected: string;
  /** Further fields of the create request. */
  readonly fields?: object;
}

const PROPERTIES: readonly SessionRow[] = [
  {
    id: 'session.id.uuid',
    sentence: 'The sessionId has the form of a UUID',
    expected: UUID.description,
    test: ({ sessionId }) => UUID.matches(sessionId) || sessionId,
  },
  {
    id: 'session.id.v4',
    sentence: 'The sessionId is a random UUID in lower case (version 4, RFC 9562)',
    level: 'reading',
    expected: 'a UUID of version 4',
    test: ({ sessionId }) =>
      /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(sessionId) ||
      sessionId,
  },
  {
    id: 'session.expiresAt.iso',
    sentence: 'The expiresAt is an ISO 8601 time',
    expected: ISO_TIME.description,
    test: ({ expiresAt }) => ISO_TIME.matches(expiresAt) || expiresAt,
  },
  {
    id: 'session.token.not-jwt',
    sentence: 'The sessionToken is opaque and does not have the form of a JWT',
    expected: 'a token that is not a JWT',
    test: ({ sessionToken }) =>
      !/^[\w-]+\.[\w-]+\.[\w-]+$/.test(sessionToken) || 'three parts separated by dots',
  },
  {
    id: 'session.token.long',
    sentence:
      'The sessionToken and the handoffToken have at least 40 characters, so that they cannot be guessed, and no dot',
    level: 'reading',
    expected: 'at least 40 characters without a dot',
    test: ({ sessionToken, handoffToken }) =>
      [sessionToken, handoffToken].every((token) => /^[^.]{40,}$/.test(token)) ||
      `${sessionToken.length} and ${handoffToken.length} characters`,
  },
  {
    id: 'session.id.unlike-token',
    sentence: 'The sessionToken and the handoffToken are different credentials',
    expected: 'two different tokens',
    test: ({ sessionToken, handoffToken }) =>
      sessionToken !== handoffToken || 'the same token twice',
  },
  {
    id: 'session.verifyUrl.contents',
    sentence: 'The verifyUrl is a web address that contains the sessionId and the sessionToken',
    expected: 'an absolute web address with sessionId and sessionToken',
    test({ verifyUrl, sessionId, sessionToken }) {
      if (!/^https?:\/\//.test(verifyUrl) || !URL.canParse(verifyUrl)) return verifyUrl;
      const address = decodeURIComponent(verifyUrl);
      return [sessionId, sessionToken].every((part) => address.includes(part)) || 'one is missing';
    },
  },
  {
    id: 'session.verifyUrl.last-parameters',
    sentence: 'The query of the verifyUrl contains exactly the sessionId and the sessionToken',
    level: 'reading',
    expected: '?sessionId=…&sessionToken=…',
    test({ verifyUrl }) {
      const query = new URL(verifyUrl).search;
      return (
        /^\?sessionId=[^&]+&sessionToken=[^&]+$/.test(query) ||
        [...new URLSearchParams(query).keys()].join()
      );
    },
  },
  {
    id: 'session.verifyUrl.no-policy',
    sentence:
      'The verifyUrl does not contain faceMatchEnabled, which is never a parameter of the page',
    section: 'Verification UI query parameters',
    fields: { faceMatchEnabled: false },
    expected: 'no faceMatchEnabled',
    test: ({ verifyUrl }) => !/faceMatch/i.test(verifyUrl) || verifyUrl.replace(/\?.*/, '?…'),
  },
];

const FIELDS: readonly CheckRow[] = [
  ...PROPERTIES.map(({ test, expected, fields, ...row }): CheckRow => ({
    ...row,
    async run(world) {
      const result = test(await world.create(fields));
      ensure(result === true, expected, String(result));
    },
  })),
  ...(
    [
      ['content-type', 'must', 'is application/json', /^application\/json(;|$)/],
      ['content-type.charset', 'reading', 'names the charset UTF-8', /^[^;]+; charset=utf-8$/],
    ] as const
  ).map(([id, level, phrase, pattern]): CheckRow => ({
    id: `session.${id}`,
    section: 'POST /sessions/create',
    sentence: `The Content-Type of a response ${phrase}`,
    level,
    ...forEach(
      { create: create(), validate: validateAfter(), error: create({ returnUrl: 5 }) },
      async (world, toCall) => {
        const { headers } = await world.send(await toCall(world));
        const type = headers.get('content-type') ?? 'none';
        ensure(pattern.test(type), `a Content-Type that ${phrase}`, type);
      },
    ),
  })),
];

/** Checks of fields and values that a response must not contain. */
const FORBIDDEN: readonly CheckRow[] = [
  {
    id: 'validate.deprecated',
    section: 'Versioning',
    sentence: 'A validate response has no estimatedAge, and its testMode is false',
    async run(world) {
      const { sessionId } = await world.create();
      const { json } = await world.validate(sessionId);
      expectMatch('the body', json, { estimatedAge: ABSENT, testMode: false }, false);
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
      ensure(readMessage(answer) === 'Session has expired', 'Session has expired', answer.text);
    },
  },
  {
    id: 'states.no-inactivity-timeout',
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
    sentence: 'The end of one session leaves other sessions pending',
    needs: ['settle'],
    async run(world) {
      const [first, second] = [await world.create(), await world.create()];
      await world.settle(first, 'verified');
      const { json } = await world.validate(second.sessionId);
      expectMatch('the body', json, { status: 'pending', verified: false }, false);
    },
  },
];

/** Checks of the fields and states of sessions, and of concurrent requests. */
export const SESSION_CHECKS: readonly Check[] = [
  ...defineChecks({ section: 'Session' }, [...RACES, ...FIELDS, ...FORBIDDEN]),
  ...defineChecks({ section: 'States and transitions' }, STATES),
];
