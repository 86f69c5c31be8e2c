import * as v from 'valibot';
import type { Context } from 'hono';
import { REPORTS_PATH } from '../../api/brand.ts';
import { isAllowedUrl, parseHttpUrl } from '../../rules/allowed-domains.ts';
import { findTenantIdOfKey } from '../../rules/keys.ts';
import { isLoopbackHost, isLoopbackOrigin } from '../../send/address.ts';
import { flag as isFlag } from '../../store/checks.ts';
import { virtualNow } from '../../store/clock.ts';
import type { Db } from '../../store/db.ts';
import { isRefusal, ServiceError } from '../../store/errors.ts';
import { REPORT_FACTS, REPORT_KINDS, type ReportFacts } from '../../store/report-kinds.ts';
import { addReports, type NewReport } from '../../store/reports.ts';
import type { SessionRow } from '../../store/rows.ts';
import { KEY_FORM, toPrintable } from '../../store/safe-text.ts';
import { createRedaction, type Redact } from '../redaction.ts';
import { listSecrets } from '../request-recorder.ts';
import { choice, requiredText } from '../schemas/fields.ts';
import { parseInput } from '../schemas/parse-input.ts';
import type { HttpRoute, OpenHost } from './api-operation.ts';
import { MAX_BODY_BYTES } from './read-body.ts';
import { readJson } from './read-json.ts';
import { respond, toRefusal, tooManyRequests } from './respond.ts';

// Reports of the shop's pages. They are neither calls of the API nor of the control API: no quota, no fault
// and no log of requests knows them, and any page of the account may send them.

/** Maximum number of characters of a text to keep. */
const MAX_TEXT = 500;

/** The number of characters of an `externalUserId` to keep. */
const MAX_OF_USER = 4;

/** Maximum number of reports of an account in a minute. A page sends some twenty in an attempt. */
const MAX_PER_MINUTE = 600;
const MINUTE_MS = 60_000;

/** A report of this computer's page that seems to have travelled longer has the time of its arrival. */
const MAX_TRAVEL_MS = 10_000;

/** A page may wait this long before it has a key with which it can report. Milliseconds, a day. */
const MAX_AGE_MS = 86_400_000;

const idOf = (name: string) =>
  v.pipe(
    requiredText(name),
    v.regex(/^[\w-]{1,64}$/, `${name} must have at most 64 letters, digits, _ and -`),
  );

const integer = (name: string, max: number) => {
  const message = `${name} must be an integer from 0 to ${max}`;
  return v.pipe(
    v.number(message),
    v.integer(message),
    v.minValue(0, message),
    v.maxValue(max, message),
  );
};

const facts = v.object(
  Object.fromEntries(
    Object.entries(REPORT_FACTS).map(([name, check]) => [
      name,
      v.optional(
        check === isFlag
          ? v.boolean(`${name} must be a boolean value`)
          : v.string(`${name} must be a string`),
      ),
    ]),
  ),
);

const report = v.object({
  seq: integer('seq', Number.MAX_SAFE_INTEGER),
  /** The time since then, by the page's steady clock. Milliseconds. */
  ageMs: integer('ageMs', MAX_AGE_MS),
  kind: choice('kind', REPORT_KINDS),
  attemptId: v.optional(idOf('attemptId')),
  sessionId: v.optional(requiredText('sessionId')),
  facts,
});

const batchBody = v.object({
  /** The publishable key of the page. It, or `sessionId`, says whose reports these are. */
  key: v.optional(
    v.pipe(requiredText('key'), v.regex(KEY_FORM, 'key must have the form of a key')),
  ),
  /** A session, for a page without a key, such as the return page. */
  sessionId: v.optional(requiredText('sessionId')),
  pageId: idOf('pageId'),
  pageUrl: requiredText('pageUrl'),
  /** The time at which the page sent this, by the clock of its computer. Milliseconds since 1970. */
  sentAtMs: v.optional(integer('sentAtMs', Number.MAX_SAFE_INTEGER)),
  reports: v.pipe(
    v.array(report, 'reports must be an array'),
    v.minLength(1, 'reports must contain at least 1 element'),
    v.maxLength(100, 'reports must contain at most 100 elements'),
  ),
});
type Batch = v.InferOutput<typeof batchBody>;

/** Returns the route to which pages send their reports. */
export function reportRoute(open: OpenHost): HttpRoute {
  const pace = createPace();
  return {
    method: 'POST',
    path: REPORTS_PATH,
    async answer(c: Context) {
      const { store, clock } = await open();
      const body = await readJson(c.req.raw, MAX_BODY_BYTES, 'text/plain');
      try {
        const batch = parseInput(batchBody, body.json());
        const origin = c.req.raw.headers.get('origin');
        await store.transact((db) =>
          takeBatch(db, batch, { origin, realNowMs: clock.now(), pace }),
        );
      } catch (error) {
        if (!isRefusal(error)) throw error;
        const atMs = await store.transact((db) => virtualNow(db, clock.now()));
        return respond(c, toRefusal(error, c.req.path, atMs));
      }
      return respond(c, { status: 204, body: null });
    },
  };
}

interface Arrival {
  /** The header `Origin`. Null if there is none, as under MSW. */
  readonly origin: string | null;
  readonly realNowMs: number;
  readonly pace: Pace;
}

/** @throws {ServiceError} invalid_body, forbidden, session_not_found or rate_limited */
function takeBatch(db: Db, batch: Batch, { origin, realNowMs, pace }: Arrival): void {
  const pageUrl = parseHttpUrl(batch.pageUrl);
  if (!pageUrl) throw new ServiceError('invalid_body', 'pageUrl must be an http or https URL');
  if (origin !== null && origin !== pageUrl.origin)
    throw new ServiceError(
      'forbidden',
      `The reports are of a page at ${pageUrl.origin}, but one at ${toShort(origin)} has sent them`,
    );
  const tenantId = findSender(db, batch, pageUrl.origin);
  assertAllowed(db, tenantId, pageUrl.origin);
  if (!pace.allows(tenantId, batch.reports.length, realNowMs)) throw tooManyRequests();
  // The page's own key is hidden, too: it says whose reports these are and is not part of them.
  const redact = createRedaction([...listSecrets(db), batch.key ?? '']);
  const toText = (text: string): string => toPrintable(redact(text, MAX_TEXT));
  const sentAtMs = toSentAtMs(batch, pageUrl, realNowMs);
  addReports(
    db,
    batch.reports.map((one): NewReport => ({
      realAtMs: sentAtMs - one.ageMs,
      kind: one.kind,
      tenantId,
      sessionId: findOwnSession(db, one.sessionId, { tenantId, batch })?.id ?? null,
      attemptId: one.attemptId ?? null,
      pageId: batch.pageId,
      seq: one.seq,
      pageUrl: toText(toBareUrl(batch.pageUrl)),
      facts: toKeptFacts(one.facts, toText),
    })),
  );
}

/**
 * Returns the time at which the page sent its reports, by the service's clock. A report may travel longer than
 * the request that it explains, and a page of this computer has the same clock. Other pages may have another.
 */
function toSentAtMs({ sentAtMs }: Batch, pageUrl: URL, realNowMs: number): number {
  if (sentAtMs === undefined || !isLoopbackHost(pageUrl.host)) return realNowMs;
  const isPlausible = sentAtMs <= realNowMs && sentAtMs >= realNowMs - MAX_TRAVEL_MS;
  return isPlausible ? sentAtMs : realNowMs;
}

/**
 * Returns the account whose page sends a batch. Null if no account has the key: a page of this computer
 * may have a wrong one.
 * @throws {ServiceError} if the batch has neither a key nor a session with which the page may report
 */
function findSender(db: Db, { key, sessionId }: Batch, origin: string): string | null {
  if (key !== undefined) return findTenantIdOfKey(db, key);
  if (sessionId === undefined)
    throw new ServiceError('invalid_body', 'key or sessionId should not be empty');
  const session = db.get('sessions', sessionId);
  if (!session) throw new ServiceError('session_not_found', 'Session not found');
  if (originsOf(session).includes(origin)) return session.tenantId;
  throw new ServiceError(
    'forbidden',
    `The session was not created for a page at ${origin}, so that page needs a key to report`,
  );
}

/** Returns the origins that the call which created the session has named, with a key of the account. */
function originsOf({ pageOrigin, returnUrl, cancelUrl }: SessionRow): string[] {
  const urls = [pageOrigin, returnUrl, cancelUrl].filter((url) => url !== null);
  return urls.map((url) => new URL(url).origin);
}

/** @throws {ServiceError} forbidden */
function assertAllowed(db: Db, tenantId: string | null, origin: string): void {
  if (isLoopbackOrigin(origin)) return;
  const domains = tenantId === null ? [] : (db.get('tenants', tenantId)?.allowedDomains ?? []);
  if (isAllowedUrl(origin, domains)) return;
  throw new ServiceError(
    'forbidden',
    `Pages at ${origin} may not report: it is not an allowed domain of the account`,
  );
}

/** Returns the session that a report names, if the page may report about it. */
function findOwnSession(
  db: Db,
  sessionId: string | undefined,
  { tenantId, batch }: { readonly tenantId: string | null; readonly batch: Batch },
): SessionRow | undefined {
  const session = sessionId === undefined ? undefined : db.get('sessions', sessionId);
  if (session?.tenantId !== tenantId) return undefined;
  return batch.key === undefined && session.id !== batch.sessionId ? undefined : session;
}

function toKeptFacts(given: v.InferOutput<typeof facts>, toText: Redact): ReportFacts {
  return Object.fromEntries(
    Object.entries(given).flatMap(([name, value]) => {
      if (value === undefined) return [];
      return [[name, typeof value === 'string' ? toText(toBare(name, value)) : value]];
    }),
  );
}

/** Leaves out what a fact must not have, if a page sends it nevertheless. */
function toBare(name: string, value: string): string {
  switch (name) {
    case 'returnUrl':
    case 'cancelUrl':
    case 'from':
      return toBareUrl(value);
    case 'externalUserId':
      return toShortUser(value);
    default:
      return value;
  }
}

/** The reporter has already shortened the name. */
function toShortUser(value: string): string {
  const short = value.slice(0, MAX_OF_USER);
  return value.length <= MAX_OF_USER ? value : `${short}…`;
}

/** Returns a URL without its credentials, its query and its fragment. */
function toBareUrl(value: string): string {
  const url = parseHttpUrl(value);
  return url ? url.origin + url.pathname : (value.split(/[?#]/)[0] ?? '');
}

function toShort(text: string): string {
  return toPrintable(text.slice(0, MAX_TEXT));
}

/** Bounds the reports of each account. */
interface Pace {
  allows(tenantId: string | null, count: number, realNowMs: number): boolean;
}

function createPace(): Pace {
  const minutes = new Map<string | null, { startedAtMs: number; count: number }>();
  return {
    allows(tenantId, count, realNowMs) {
      const known = minutes.get(tenantId);
      // The computer's clock may have been set back.
      const isOver = !known || Math.abs(realNowMs - known.startedAtMs) >= MINUTE_MS;
      const minute = isOver ? { startedAtMs: realNowMs, count: 0 } : known;
      minutes.set(tenantId, minute);
      if (minute.count + count > MAX_PER_MINUTE) return false;
      minute.count += count;
      return true;
    },
  };
}
