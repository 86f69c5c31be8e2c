import type { SessionFilter, SessionResource } from 'ofage-mock';
import type { ControlClient } from 'ofage-mock/client';

/** The search on the page of sessions. An empty value matches all sessions. */
export interface SessionSearch {
  /** A session's id, the beginning of an id, or a part of an `externalUserId`. */
  readonly text: string;
  readonly status: string;
  readonly reason: string;
  readonly pairId: string;
  /** The earliest creation time as `2026-11-22T08:00`, in UTC. */
  readonly from: string;
  /** The exclusive end of the creation times, in the same format. */
  readonly to: string;
}

/** One page of the sessions that were found. */
export interface SessionPage {
  readonly items: readonly SessionResource[];
  /** The number of sessions on newer pages. */
  readonly skipped: number;
  /**
   * The `before` parameter of the page of newer sessions, which is empty if that page is the first. Null on
   * the first page.
   */
  readonly newer: string | null;
  /** The `before` parameter of the page of older sessions, or null on the last page. */
  readonly older: string | null;
}

export const PAGE_SIZE = 25;

/** Returns the sessions that match the search, in the same order. */
export function searchSessions(
  loaded: readonly SessionResource[],
  search: SessionSearch,
): SessionResource[] {
  const { status, reason, pairId } = search;
  const text = search.text.trim();
  const from = toInstant(search.from);
  const to = toInstant(search.to);
  return loaded.filter(
    (session) =>
      (text === '' || isMatch(session, text)) &&
      (status === '' || session.status === status) &&
      (reason === '' || session.reason === reason) &&
      (pairId === '' || session.pairId === pairId) &&
      (from === '' || session.createdAt >= from) &&
      (to === '' || session.createdAt < to),
  );
}

/**
 * Fetches the sessions with exactly this id or `externalUserId`. They may be older than the sessions that
 * the page has loaded.
 */
export async function findExactly(
  client: ControlClient,
  tenantId: string,
  text: string,
): Promise<SessionResource[]> {
  const wanted = text.trim();
  if (wanted === '') return [];
  const filter: SessionFilter = { tenantId, externalUserId: wanted, limit: 1_000 };
  const [byUser, byId] = await Promise.all([
    client.pages.sessions(filter),
    client.session(wanted).catch(() => null),
  ]);
  const isOwn = byId?.tenantId === tenantId;
  return [...(isOwn ? [byId] : []), ...byUser.items];
}

/** Adds `more` to the sessions, each session once. Returns them newest first. */
export function addSessions(
  loaded: readonly SessionResource[],
  more: readonly SessionResource[],
): readonly SessionResource[] {
  const known = new Set(loaded.map(({ id }) => id));
  const added = more.filter(({ id }) => !known.has(id));
  if (added.length === 0) return loaded;
  return [...loaded, ...added].sort((a, b) => b.createdAt.localeCompare(a.createdAt));
}

/**
 * Returns the page after the session with the id `before`, or the first page if the id is empty or unknown.
 */
export function toPage(found: readonly SessionResource[], before: string): SessionPage {
  const skipped = found.findIndex(({ id }) => id === before) + 1;
  const end = skipped + PAGE_SIZE;
  const newerStart = skipped - PAGE_SIZE;
  return {
    items: found.slice(skipped, end),
    skipped,
    newer: skipped === 0 ? null : (found[newerStart - 1]?.id ?? ''),
    older: end < found.length ? (found[end - 1]?.id ?? null) : null,
  };
}

/** Returns true if the id starts with the text, or if the `externalUserId` contains it. Ignores case. */
export function isMatch(
  { id, externalUserId }: Pick<SessionResource, 'id' | 'externalUserId'>,
  text: string,
): boolean {
  const wanted = text.toLowerCase();
  return (
    id.toLowerCase().startsWith(wanted) ||
    (externalUserId !== null && externalUserId.toLowerCase().includes(wanted))
  );
}

/** Formats an instant as the value of a date field, in UTC. */
export function toFieldValue(atMs: number): string {
  return new Date(atMs).toISOString().slice(0, 16);
}

/** Converts the value of a date field to ISO 8601. Returns an empty string for any other text. */
function toInstant(text: string): string {
  const atMs = Date.parse(`${text}Z`);
  return Number.isNaN(atMs) ? '' : new Date(atMs).toISOString();
}

const COLUMNS = [
  'id',
  'status',
  'reason',
  'externalUserId',
  'createdAt',
  'settledAt',
  'validatedAt',
  'verificationMode',
  'challengeAge',
  'pairId',
] as const satisfies readonly (keyof SessionResource)[];

/** Formats sessions as CSV (RFC 4180), with a row of column names. */
export function toCsv(sessions: readonly SessionResource[]): string {
  const rows = sessions.map((session) => COLUMNS.map((column) => toCell(session[column])));
  return [COLUMNS, ...rows].map((row) => `${row.join(',')}\r\n`).join('');
}

/**
 * Formats a value as a CSV field. A text that starts like a formula gets an apostrophe, because a
 * spreadsheet would run the formula. Such a text is possible, because the shop chooses the
 * `externalUserId`.
 */
function toCell(value: string | number | null): string {
  const text = String(value ?? '');
  const plain = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
}
