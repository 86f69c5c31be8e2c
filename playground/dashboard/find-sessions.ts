import type { SessionFilter, SessionResource } from 'ofage/mock';
import type { ControlClient } from 'ofage/mock/client';

export interface SessionSearch {
  readonly tenantId: string;
  /**
   * A session's id, the beginning of an id, or a part of an `externalUserId`. Empty matches all sessions.
   */
  readonly text: string;
  readonly status: string;
  readonly pairId: string;
  /** The id of the last session on the previous page. Empty for the first page. */
  readonly before: string;
}

export interface SessionPage {
  /** The sessions of the page, newest first. */
  readonly items: readonly SessionResource[];
  /** The value of `before` for the next page, or null on the last page. */
  readonly next: string | null;
  /** True if a search for a part of a text did not cover all sessions, because there are too many. */
  readonly isPartial: boolean;
}

export const PAGE_SIZE = 25;
/** The largest page that the provider returns. */
export const MAX_SESSIONS = 1_000;

/**
 * Fetches a page of sessions. The search for a part of an id or `externalUserId` covers only the newest
 * thousand sessions. A complete id or `externalUserId` is found regardless of age.
 */
export async function findSessions(
  client: ControlClient,
  { text, before, tenantId, status, pairId }: SessionSearch,
): Promise<SessionPage> {
  const wanted = text.trim();
  const filter: SessionFilter = {
    tenantId,
    pairId: pairId || undefined,
    // The status comes from the URL and can be any text. The service rejects a status that it does not
    // know.
    status: (status || undefined) as SessionFilter['status'],
  };
  const fetchPage = (overrides: SessionFilter): ReturnType<ControlClient['pages']['sessions']> =>
    client.pages.sessions({ ...filter, ...overrides });
  if (wanted === '') {
    const page = await fetchPage({ before: before || undefined, limit: PAGE_SIZE });
    return { ...page, isPartial: false };
  }

  const [newest, byUser, byId] = await Promise.all([
    fetchPage({ limit: MAX_SESSIONS }),
    fetchPage({ externalUserId: wanted, limit: MAX_SESSIONS }),
    findById(client, wanted, filter),
  ]);
  const found = new Map<string, SessionResource>();
  for (const session of [...newest.items.filter((one) => isMatch(one, wanted)), ...byUser.items]) {
    found.set(session.id, session);
  }
  if (byId) found.set(byId.id, byId);
  const sorted = [...found.values()].sort((a, b) => b.createdAt.localeCompare(a.createdAt));
  const from = sorted.findIndex(({ id }) => id === before) + 1;
  const items = sorted.slice(from, from + PAGE_SIZE);
  const isMore = sorted.length > from + PAGE_SIZE;
  return {
    items,
    next: isMore ? (items.at(-1)?.id ?? null) : null,
    isPartial: newest.next !== null,
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

async function findById(
  client: ControlClient,
  id: string,
  { tenantId, status, pairId }: SessionFilter,
): Promise<SessionResource | null> {
  const session = await client.session(id).catch(() => null);
  const isMatching =
    session?.tenantId === tenantId &&
    (status === undefined || session?.status === status) &&
    (pairId === undefined || session?.pairId === pairId);
  return isMatching ? session : null;
}
