import type { ApiFaultRow } from '../core/tables.ts';
import { toIso } from './resources.ts';

/** A request to the API or to the hosted page's API, and what it was answered. */
export interface RequestRecord {
  /** Virtual time. */
  readonly atMs: number;
  /** When it came in, in real time. */
  readonly realAtMs: number;
  /** Real time. */
  readonly durationMs: number;
  readonly method: string;
  readonly path: string;
  readonly operation: ApiFaultRow['operation'] | null;
  /** The API key or session token as it was sent. */
  readonly credential: string | null;
  readonly tenantId: string | null;
  readonly sessionId: string | null;
  readonly status: number;
  readonly fault: ApiFaultRow['fault'] | null;
  readonly requestHeaders: Headers;
  /** Null when there was too much of it. */
  readonly requestText: string | null;
  readonly responseHeaders: Readonly<Record<string, string>>;
  readonly response: object | string;
}

/** A request as the control surface shows it: without anything that opens an account or a session. */
export interface RequestResource {
  /** Counts up from 1. */
  id: number;
  at: string;
  /** When it came in, by the clock of the computer and not the mock's. */
  realAt: string;
  durationMs: number;
  method: string;
  path: string;
  operation: ApiFaultRow['operation'] | null;
  /** How the key or token begins. */
  credential: string | null;
  /** Where the page is from that asked, or the server that passed on what a browser says; null otherwise. */
  origin: string | null;
  /** Whether what was sent looks like a browser's. MSW shows no page's origin, so there it is always false. */
  isBrowser: boolean;
  tenantId: string | null;
  sessionId: string | null;
  status: number;
  /** The fault that was asked for, when there was one. */
  fault: ApiFaultRow['fault'] | null;
  /** By their names in lower case. */
  requestHeaders: Record<string, string>;
  /** At most 4,096 characters; null when it was larger than the service reads. */
  requestBody: string | null;
  /** By their names in lower case: what the service sets, and not what its host adds. */
  responseHeaders: Record<string, string>;
  responseBody: string;
}

export interface RequestFilter {
  tenantId?: string | undefined;
  sessionId?: string | undefined;
  operation?: ApiFaultRow['operation'] | undefined;
  status?: number | undefined;
  /** Only requests before this one. */
  before?: number | undefined;
  /** The newest so many. @default 100 */
  limit?: number | undefined;
}

/** The last requests that this holder of the state has answered. They are not part of the state. */
export interface RequestLog {
  record(record: RequestRecord): void;
  /** Newest first. */
  list(filter?: RequestFilter): RequestResource[];
  /** How many requests to the API are no longer kept. */
  readonly forgotten: number;
  clear(): void;
}

/** How many requests are kept to the API, and how many to the hosted page's. */
export const MAX_REQUESTS = 500;
const MAX_TEXT = 4_096;

export function createRequestLog(onRecord: (read: () => RequestResource) => void): RequestLog {
  const api = createRing();
  // A page says every two seconds that it is there, and would soon have pushed out what the API was asked.
  const hosted = createRing();
  let count = 0;

  return {
    record(record) {
      const { requestText } = record;
      count += 1;
      const id = count;
      const ring = record.path.startsWith('/hosted/') ? hosted : api;
      ring.push({ id, record: { ...record, requestText: requestText && shorten(requestText) } });
      // What nobody looks at is not worth the work.
      onRecord(() => toRequestResource(id, record));
    },
    list({ before = count + 1, limit = 100, ...filter } = {}) {
      return [...api.entries(), ...hosted.entries()]
        .filter(({ id, record }) => id < before && isWanted(record, filter))
        .sort((a, b) => b.id - a.id)
        .slice(0, limit)
        .map(({ id, record }) => toRequestResource(id, record));
    },
    get forgotten() {
      return api.forgotten;
    },
    clear() {
      api.clear();
      hosted.clear();
      count = 0;
    },
  };
}

interface Entry {
  readonly id: number;
  readonly record: RequestRecord;
}

/** The last so many, in no order. */
function createRing() {
  const kept: Entry[] = [];
  let count = 0;

  return {
    push(entry: Entry): void {
      kept[count % MAX_REQUESTS] = entry;
      count += 1;
    },
    entries: (): readonly Entry[] => kept,
    get forgotten(): number {
      return count - kept.length;
    },
    clear(): void {
      kept.length = 0;
      count = 0;
    },
  };
}

type Wanted = Omit<RequestFilter, 'before' | 'limit'>;

function isWanted(record: RequestRecord, wanted: Wanted): boolean {
  const { tenantId, sessionId, operation, status } = wanted;
  return (
    (tenantId === undefined || record.tenantId === tenantId) &&
    (sessionId === undefined || record.sessionId === sessionId) &&
    (operation === undefined || record.operation === operation) &&
    (status === undefined || record.status === status)
  );
}

/** Cuts a text off. The copy keeps the whole from being kept. */
function shorten(text: string): string {
  if (text.length <= MAX_TEXT) return text;
  return JSON.parse(JSON.stringify(text.slice(0, MAX_TEXT))) as string;
}

function toRequestResource(id: number, record: RequestRecord): RequestResource {
  const { atMs, realAtMs, credential, requestHeaders, requestText, response, ...rest } = record;
  const origin = requestHeaders.get('origin');
  const responseText = typeof response === 'string' ? response : JSON.stringify(response);
  return {
    id,
    at: toIso(atMs),
    realAt: toIso(realAtMs),
    ...rest,
    path: redact(record.path),
    credential: credential && toBeginning(credential),
    origin,
    // Node's own fetch sends `sec-fetch-mode`, but no site.
    isBrowser: origin !== null || requestHeaders.has('sec-fetch-site'),
    requestHeaders: toShownHeaders([...requestHeaders]),
    requestBody: requestText === null ? null : redact(shorten(requestText)),
    responseHeaders: toShownHeaders(Object.entries(record.responseHeaders)),
    responseBody: redact(shorten(responseText)),
  };
}

function toShownHeaders(headers: readonly [string, string][]): Record<string, string> {
  return Object.fromEntries(
    headers.map(([name, value]) => [name.toLowerCase(), toShownHeader(name.toLowerCase(), value)]),
  );
}

function toShownHeader(name: string, value: string): string {
  switch (name) {
    case 'authorization':
    case 'x-api-key': {
      const [, scheme = '', credential = ''] = /^(\S+ +)?(.*)$/.exec(shorten(value)) ?? [];
      // A key with a blank in it is not taken apart.
      return /^bearer $/i.test(scheme) || scheme === '' ? scheme + toBeginning(credential) : '…';
    }
    case 'cookie':
    case 'proxy-authorization':
      return '…';
    default:
      return redact(shorten(value));
  }
}

/** `sk_8f3a…`: enough to tell one key from another, and not to use it. */
function toBeginning(credential: string): string {
  const [, prefix = ''] = /^([a-z]{1,8}\d?_)/.exec(credential) ?? [];
  // A short key would be given away whole.
  const shown = credential.length >= prefix.length + 16 ? prefix.length + 4 : prefix.length;
  return `${credential.slice(0, shown)}…`;
}

/**
 * Hides secrets. Keys and tokens are found by their prefix, up to the end of the word, because a configured key
 * may contain any character. In JSON they are also found by the name of their property.
 */
function redact(text: string): string {
  return text
    .replaceAll(/("(?:sessionToken|handoffToken|secret|secretKey)"\s*:\s*")(?:[^"\\]|\\.)*/g, '$1…')
    .replaceAll(/\b(sk|st1|ht1|whsec)(?:_|%5F)[^\s"&\\]+/gi, '$1_…');
}
