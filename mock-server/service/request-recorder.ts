import { SIGNING_KEY_ID } from '../rules/first-accounts.ts';
import type { RealClock } from '../store/clock.ts';
import type { Db } from '../store/db.ts';
import type { RequestRow } from '../store/rows.ts';
import type { Store } from '../store/store.ts';
import { createRedaction, type Redact } from './redaction.ts';

/** A request to the API or to the hosted page's API, with its response. */
export interface RequestRecord {
  /** Time of arrival, in virtual time. */
  readonly atMs: number;
  /** Time of arrival, in real time. */
  readonly realAtMs: number;
  /** Duration in real time. */
  readonly durationMs: number;
  readonly method: string;
  readonly path: string;
  readonly operation: RequestRow['operation'];
  /** The API key or session token exactly as sent. */
  readonly credential: string | null;
  readonly tenantId: string | null;
  readonly sessionId: string | null;
  /** True if the console itself sent the request. */
  readonly isFromTool: boolean;
  readonly status: number;
  readonly fault: RequestRow['fault'];
  readonly requestHeaders: Headers;
  /** Null if the body was too large or incomplete. */
  readonly requestText: string | null;
  readonly responseHeaders: Readonly<Record<string, string>>;
  readonly response: object | string;
}

/** Stores handled requests in the state, with a short delay and in batches. */
export interface RequestRecorder {
  record(record: RequestRecord): void;
  /**
   * Writes the buffered requests. Never rejects: requests that cannot be written are reported and dropped.
   */
  flush(): Promise<void>;
}

/** Minimum time between two writes. Milliseconds of real time. */
const INTERVAL_MS = 250;

/**
 * Minimum time between two writes, for each request in the first of them. A busy service therefore writes
 * at most 200 requests a second. Under a higher load, the oldest requests of a batch are never written,
 * because the capped table would drop them at once.
 */
const INTERVAL_PER_REQUEST_MS = 5;

/**
 * Creates a recorder. A response never waits for the recording, so a request that changes nothing else
 * stays cheap. The first request after a quiet time is written at once, so that it is stored even if the
 * page that sent it unloads.
 */
export function createRequestRecorder(
  store: Pick<Store, 'transact'>,
  clock: RealClock,
  onError: (error: unknown) => void,
): RequestRecorder {
  let waiting = createBatch();
  let nextAtMs = -Infinity;
  let intervalMs = INTERVAL_MS;
  let cancel: (() => void) | null = null;

  async function flush(): Promise<void> {
    cancel?.();
    cancel = null;
    const added = waiting.take();
    if (added.length === 0) return;
    intervalMs = Math.max(INTERVAL_MS, added.length * INTERVAL_PER_REQUEST_MS);
    nextAtMs = clock.now() + intervalMs;
    await store.transact((db) => addRequests(db, added)).catch(onError);
  }

  return {
    record(record) {
      waiting.add(record);
      if (cancel) return;
      const nowMs = clock.now();
      // The computer's clock may have been set back, so the delay is limited.
      const delayMs = Math.min(Math.max(0, nextAtMs - nowMs), intervalMs);
      cancel = clock.wakeAt(nowMs + delayMs, () => void flush());
    },
    flush,
  };
}

/**
 * Creates a buffer of requests in the order of their responses. It keeps the newest ones of each list, as
 * many as {@link CAPACITIES} allows.
 */
function createBatch() {
  let kept = toLists((): NewRequest[] => []);
  let counts = { all: 0, ...toLists(() => 0) };

  return {
    add(record: RequestRecord): void {
      const list = listOf({ surface: surfaceOf(record), tenantId: record.tenantId });
      const place = counts[list] % CAPACITIES[list];
      counts.all += 1;
      counts[list] += 1;
      const requestText = record.requestText && shorten(record.requestText);
      kept[list][place] = {
        no: counts.all,
        surfaceNo: counts[list],
        record: { ...record, requestText },
      };
    },
    take(): NewRequest[] {
      const taken = Object.values(kept).flat();
      kept = toLists(() => []);
      counts = { all: 0, ...toLists(() => 0) };
      return taken.sort((a, b) => a.no - b.no);
    },
  };
}

/** Maximum length of a stored body or header. */
const MAX_TEXT = 4_096;

/** The characters of a longer text that are also searched, so that no part of a secret is stored. */
const LOOKAHEAD = 1_024;

function surfaceOf({ path }: Pick<RequestRecord, 'path'>): RequestRow['surface'] {
  return path.startsWith('/hosted/') ? 'hosted' : 'api';
}

/** Shortens the texts of a request and hides secrets. */
function toKeptRequest(record: RequestRecord, redact: Redact): KeptRequest {
  const {
    credential,
    isFromTool,
    requestHeaders,
    requestText,
    responseHeaders,
    response,
    ...rest
  } = record;
  const origin = requestHeaders.get('origin');
  const responseText = typeof response === 'string' ? response : JSON.stringify(response);
  return {
    ...rest,
    surface: surfaceOf(record),
    path: redact(record.path),
    credential: credential && toBeginning(credential),
    origin,
    // Only browsers send `sec-fetch-site`. Node's own fetch sends `sec-fetch-mode`.
    isBrowser: origin !== null || requestHeaders.has('sec-fetch-site'),
    ...(isFromTool && { isFromTool }),
    requestHeaders: toShownHeaders([...requestHeaders], redact),
    requestBody: requestText === null ? null : redact(requestText, MAX_TEXT),
    responseHeaders: toShownHeaders(Object.entries(responseHeaders), redact),
    responseBody: redact(shorten(responseText), MAX_TEXT),
  };
}

/** Shortens a text. Copies the result, because a slice would keep the whole text in memory. */
function shorten(text: string): string {
  if (text.length <= MAX_TEXT + LOOKAHEAD) return text;
  return JSON.parse(JSON.stringify(text.slice(0, MAX_TEXT + LOOKAHEAD))) as string;
}

function toShownHeaders(
  headers: readonly [string, string][],
  redact: Redact,
): Record<string, string> {
  return Object.fromEntries(
    headers.map(([name, value]) => {
      const lower = name.toLowerCase();
      return [redact(lower), toShownHeader(lower, value, redact)];
    }),
  );
}

function toShownHeader(name: string, value: string, redact: Redact): string {
  switch (name) {
    case 'authorization':
    case 'x-api-key': {
      const [, scheme = '', credential = ''] = /^(\S+ +)?(.*)$/.exec(shorten(value)) ?? [];
      // A value with a scheme other than Bearer is hidden completely. So is a key in `x-api-key` that
      // contains a space, because its first word looks like a scheme.
      return /^bearer $/i.test(scheme) || scheme === '' ? scheme + toBeginning(credential) : '…';
    }
    case 'cookie':
    case 'proxy-authorization':
      return '…';
    default:
      return redact(shorten(value), MAX_TEXT);
  }
}

/**
 * Returns the start of a key, such as `sk_8f3a…`. That is enough to distinguish keys, but not to use one.
 */
function toBeginning(credential: string): string {
  const [, prefix = ''] = /^([a-z]{1,8}\d?_)/.exec(credential) ?? [];
  // Only the prefix of a short key is shown, because four more characters could be most of the key.
  const shown = credential.length >= prefix.length + 16 ? prefix.length + 4 : prefix.length;
  return `${credential.slice(0, shown)}…`;
}

/**
 * Maximum number of requests to keep in each list. Anyone can send requests without a known account, for
 * example a page of another site. They have their own, short lists, so that they do not displace the
 * requests of the accounts.
 */
const CAPACITIES = { api: 500, hosted: 500, unknownApi: 100, unknownHosted: 100 } as const;

type List = keyof typeof CAPACITIES;

function listOf({ surface, tenantId }: Pick<RequestRow, 'surface' | 'tenantId'>): List {
  if (tenantId !== null) return surface;
  return surface === 'api' ? 'unknownApi' : 'unknownHosted';
}

function toLists<Value>(create: () => Value): Record<List, Value> {
  return { api: create(), hosted: create(), unknownApi: create(), unknownHosted: create() };
}

/** A request without its numbers in the state. */
type KeptRequest = Omit<RequestRow, 'id' | 'no' | 'surfaceNo'>;

/** A request with its numbers within one batch, counted from 1. */
interface NewRequest {
  readonly no: number;
  readonly surfaceNo: number;
  readonly record: RequestRecord;
}

/** The numbers of the newest request, overall and in each list; 0 if there is none. */
type Newest = Record<'all' | List, number>;

/** Adds requests, and drops the oldest of each list beyond its capacity. */
function addRequests(db: Db, added: readonly NewRequest[]): void {
  const before = findNewest(db);
  const redact = createRedaction(listSecrets(db));
  for (const { no, surfaceNo, record } of added) {
    if (isOfDeletedSession(db, record)) continue;
    const request = toKeptRequest(record, redact);
    db.put('requests', {
      ...request,
      id: String(before.all + no),
      no: before.all + no,
      surfaceNo: before[listOf(request)] + surfaceNo,
    });
  }
  const newest = findNewest(db);
  const isTooOld = (row: RequestRow): boolean => {
    const list = listOf(row);
    return row.surfaceNo <= newest[list] - CAPACITIES[list];
  };
  for (const { id } of [...db.all('requests')].filter(isTooOld)) db.delete('requests', id);
}

/** Tells whether the request's session was deleted while the request was buffered. */
function isOfDeletedSession(db: Db, { sessionId, status }: RequestRecord): boolean {
  // A request that was answered had a session.
  return sessionId !== null && status < 400 && db.get('sessions', sessionId) === undefined;
}

/** Yields the secrets of the state. Tokens are not stored, and are found by their prefix. */
export function* listSecrets(db: Db): Generator<string> {
  for (const { kind, value } of db.all('keys')) if (kind === 'secret') yield value;
  for (const { secret } of db.all('endpoints')) if (secret !== null) yield secret;
  const signingKey = db.get('settings', SIGNING_KEY_ID);
  if (signingKey) yield signingKey.value;
}

/** Returns the number of API requests that are no longer kept. */
export function countForgottenRequests(db: Db): number {
  let kept = 0;
  for (const { surface } of db.all('requests')) if (surface === 'api') kept += 1;
  const { api, unknownApi } = findNewest(db);
  return api + unknownApi - kept;
}

/** Reads every row, because a snapshot may have them in any order. */
function findNewest(db: Db): Newest {
  const newest: Newest = { all: 0, ...toLists(() => 0) };
  for (const row of db.all('requests')) {
    const list = listOf(row);
    if (row.no > newest.all) newest.all = row.no;
    if (row.surfaceNo > newest[list]) newest[list] = row.surfaceNo;
  }
  return newest;
}
