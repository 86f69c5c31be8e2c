import { hideSecrets } from '../exchange.ts';
import { expectMatch, show } from '../matchers.ts';
import { ensure } from '../outcome.ts';
import { FORGED_URL } from '../pages/create-visits.ts';
import type { Visit, VisitPlan } from '../pages/visit.ts';
import type { World } from '../world.ts';
import { defineChecks, type CheckRow } from './define.ts';

/** An identifier with characters that have a meaning in a query. */
const CUSTOMER = 'anna+1 & 50% =/?#é';
const QUERY = 'order=7&note=a%20b~c&note=d+e&flag&sig=%7Ex%2f';

const VERIFIED: VisitPlan = {
  status: 'verified',
  // Without auto_return, a shopper may have to click to leave the success screen.
  parameters: 'auto_return=true',
  fields: { externalUserId: CUSTOMER },
  query: QUERY,
};
const FAILED: VisitPlan = { status: 'failed' };
const CANCELLED: VisitPlan = { status: 'cancelled' };
const CANCEL_URL: VisitPlan = { status: 'cancelled', query: QUERY, hasCancelUrl: true };

const POLICY = { verificationMode: 'L1', challengeAge: 30, faceMatchEnabled: true };
/** A visit whose page parameters look like the settings and the result of the session. */
const FORGED: VisitPlan = {
  status: 'verified',
  fields: POLICY,
  parameters: [
    'auto_return=true',
    `returnUrl=${encodeURIComponent(FORGED_URL)}`,
    'status=failed&verified=false&accessGranted=false&externalUserId=forged',
    'verificationMode=L2&challengeAge=99&faceMatchEnabled=false',
  ].join('&'),
};

const parametersOf = (url: string): URLSearchParams => new URL(url).searchParams;

const withoutQuery = (url: string): string => url.replace(/\?.*/, '');

/** Checks the address to which the page went, without its query. */
function expectDestination({ address }: Visit, url: string): void {
  const isThere = withoutQuery(address) === withoutQuery(url);
  ensure(isThere, `the page to go to ${withoutQuery(url)}`, hideSecrets(address));
}

function expectResult(visit: Visit, url: string, status: string): void {
  expectDestination(visit, url);
  expectParameter(visit, 'status', status);
}

function expectParameter({ address }: Visit, name: string, value: string | null): void {
  const actual = parametersOf(address).get(name);
  const phrase = value === null ? `no parameter ${name}` : `the parameter ${name}=${show(value)}`;
  ensure(actual === value, phrase, hideSecrets(address));
}

/**
 * Checks that the parameters of the shop keep their values. The order of the parameters is not compared.
 */
function expectOwnParameters({ address }: Visit, url: string): void {
  const [own, after] = [parametersOf(url), parametersOf(address)];
  const isKept = [...own.keys()].every(
    (name) => String(own.getAll(name)) === String(after.getAll(name)),
  );
  ensure(isKept, `the parameters ${new URL(url).search}`, hideSecrets(address));
}

interface CallbackRow extends Pick<CheckRow, 'id' | 'sentence' | 'level'> {
  readonly plan: VisitPlan;
  readonly expect: (visit: Visit, world: World) => void | Promise<void>;
}

const CALLBACKS: readonly CallbackRow[] = [
  {
    id: 'verified',
    sentence: 'After a success, the page goes to the returnUrl with status=verified',
    plan: VERIFIED,
    expect: (visit) => expectResult(visit, visit.returnUrl, 'verified'),
  },
  {
    id: 'failed',
    sentence: 'After a failure, the page goes to the returnUrl with status=failed',
    plan: FAILED,
    expect: (visit) => expectResult(visit, visit.returnUrl, 'failed'),
  },
  {
    id: 'cancelled',
    sentence: 'After a cancellation, the page goes to the returnUrl with status=cancelled',
    level: 'should',
    plan: CANCELLED,
    expect: (visit) => expectResult(visit, visit.returnUrl, 'cancelled'),
  },
  {
    id: 'cancelUrl',
    sentence:
      'After a cancellation, a page without an opener goes to the cancelUrl, with status=cancelled and the sessionId',
    level: 'should',
    plan: CANCEL_URL,
    expect(visit) {
      expectResult(visit, visit.cancelUrl, 'cancelled');
      expectParameter(visit, 'sessionId', visit.session.sessionId);
    },
  },
  {
    id: 'cancelUrl.query',
    sentence: 'The parameters of the cancelUrl are preserved',
    level: 'reading',
    plan: CANCEL_URL,
    expect: (visit) => expectOwnParameters(visit, visit.cancelUrl),
  },
  {
    id: 'cancelUrl.no-token',
    sentence: 'The cancelUrl gets no token and no key',
    plan: CANCEL_URL,
    expect: expectNoSecret,
  },
  {
    id: 'sessionId',
    sentence: 'The callback contains the sessionId',
    plan: VERIFIED,
    expect: (visit) => expectParameter(visit, 'sessionId', visit.session.sessionId),
  },
  {
    id: 'timestamp',
    sentence: 'The timestamp of the callback is the time of the result, in milliseconds',
    plan: VERIFIED,
    expect({ address, settledAtMs }, world) {
      const text = parametersOf(address).get('timestamp') ?? '';
      const isTime = /^\d{13}$/.test(text);
      const iso = isTime ? new Date(Number(text)).toISOString() : text;
      expectMatch('the timestamp', iso, world.at(settledAtMs), false);
    },
  },
  {
    id: 'externalUserId',
    sentence: 'The externalUserId of the session is in the callback, with all its characters',
    plan: VERIFIED,
    expect: (visit) => expectParameter(visit, 'externalUserId', CUSTOMER),
  },
  {
    id: 'externalUserId.absent',
    sentence: 'The callback has no externalUserId if the session has none',
    plan: FAILED,
    expect: (visit) => expectParameter(visit, 'externalUserId', null),
  },
  {
    id: 'query',
    sentence: 'The parameters of the returnUrl are preserved',
    plan: VERIFIED,
    expect: (visit) => expectOwnParameters(visit, visit.returnUrl),
  },
  {
    id: 'query.bytes',
    sentence: 'The query of the returnUrl keeps its exact text, because it may be signed',
    level: 'reading',
    plan: VERIFIED,
    expect({ address, returnUrl }) {
      const isKept = address.startsWith(`${returnUrl}&`);
      ensure(isKept, `an address that starts with ${returnUrl}`, hideSecrets(address));
    },
  },
  {
    id: 'no-token',
    sentence: 'The callback contains no token and no key',
    plan: VERIFIED,
    expect: expectNoSecret,
  },
  {
    id: 'only',
    sentence: 'The callback adds only sessionId, status, timestamp and externalUserId',
    level: 'should',
    plan: VERIFIED,
    expect({ address, returnUrl }) {
      const known = ['sessionId', 'status', 'timestamp', 'externalUserId'];
      const own = parametersOf(returnUrl);
      const others = [...parametersOf(address).keys()].filter(
        (name) => !known.includes(name) && !own.has(name),
      );
      ensure(others.length === 0, `only ${known.join(', ')}`, `also ${others.join(', ')}`);
    },
  },
];

function expectNoSecret({ session, keys, address }: Visit): void {
  const { sessionToken, handoffToken } = session;
  const { publishableKey, secretKey } = keys;
  const values = [...parametersOf(address).values(), decodeURIComponent(address)];
  const found = Object.entries({ sessionToken, handoffToken, publishableKey, secretKey }).find(
    ([, secret]) => values.some((value) => value.includes(secret)),
  );
  ensure(!found, 'no token and no key in the address', `the ${found?.[0] ?? ''} is there`);
}

const PARAMETERS: readonly CallbackRow[] = [
  {
    id: 'auto_return',
    sentence:
      'With auto_return=true, the page goes to the returnUrl after a success without a click',
    plan: VERIFIED,
    expect: (visit) => expectDestination(visit, visit.returnUrl),
  },
  {
    id: 'forged.returnUrl',
    sentence: 'A returnUrl in the address of the page has no effect',
    plan: FORGED,
    expect: (visit) => expectDestination(visit, visit.returnUrl),
  },
  {
    id: 'forged.status',
    sentence: 'A status in the address of the page does not change the result',
    plan: FORGED,
    expect: (visit) => expectParameter(visit, 'status', 'verified'),
  },
  {
    id: 'forged.externalUserId',
    sentence: 'An externalUserId in the address of the page is not passed on',
    plan: FORGED,
    expect: (visit) => expectParameter(visit, 'externalUserId', null),
  },
  {
    id: 'forged.policy',
    sentence:
      'A verificationMode, challengeAge or faceMatchEnabled in the address of the page has no effect',
    plan: FORGED,
    async expect(visit) {
      const { json } = await visit.validate();
      expectMatch('the body', json, { ...POLICY, status: 'verified', verified: true }, false);
    },
  },
];

const toRow = ({ plan, expect, ...row }: CallbackRow): CheckRow => ({
  ...row,
  async run(world) {
    await expect(await world.visit(plan), world);
  },
});

/** Checks of the callback parameters, and of page parameters that must not change them. */
export const CALLBACK_CHECKS = [
  ...defineChecks(
    {
      section: 'Redirect callback parameters',
      prefix: 'callback',
      needs: ['settle'],
      opensPages: true,
    },
    CALLBACKS.map(toRow),
  ),
  ...defineChecks(
    {
      section: 'Verification UI query parameters',
      prefix: 'page',
      needs: ['settle'],
      opensPages: true,
    },
    PARAMETERS.map(toRow),
  ),
];
