import type { SessionFilter, SessionResource } from 'ofage/mock';
import type { ControlClient } from 'ofage/mock/client';

export interface SessionSearch {
  readonly tenantId: string;
  /** A session's id or its beginning, or a part of an `externalUserId`; empty for all. */
  readonly text: string;
  readonly status: string;
  readonly pairId: string;
  /** Only what is older than the session with this id. */
  readonly before: string;
}

export interface SessionPage {
  /** Newest first. */
  readonly items: readonly SessionResource[];
  /** What to look before for the next page; null when this is the last one. */
  readonly next: string | null;
  /** Whether only the newest were looked through. */
  readonly isPartial: boolean;
}

export const PAGE_SIZE = 25;
/** The longest page that the provider gives. */
export const MOST_SESSIONS = 1_000;

/**
 * Asks for a page of sessions. A search looks through the newest thousand for what is written in part, and
 * finds a whole id or `externalUserId` however old it is.
 */
export async function findSessions(
  client: ControlClient,
  { text, before, tenantId, status, pairId }: SessionSearch,
): Promise<SessionPage> {
  const wanted = text.trim();
  const filter: SessionFilter = {
    tenantId,
    pairId: pairId || undefined,
    // An address may ask for anything; the service refuses a status that it does not know.
    status: (status || undefined) as SessionFilter['status'],
  };
  const ask = (more: SessionFilter): ReturnType<ControlClient['pages']['sessions']> =>
    client.pages.sessions({ ...filter, ...more });
  if (wanted === '') {
    const page = await ask({ before: before || undefined, limit: PAGE_SIZE });
    return { ...page, isPartial: false };
  }

  const [newest, byUser, byId] = await Promise.all([
    ask({ limit: MOST_SESSIONS }),
    ask({ externalUserId: wanted, limit: MOST_SESSIONS }),
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

/** Whether the id begins so, or the `externalUserId` has it in it. Capitals make no difference. */
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
  const fits =
    session?.tenantId === tenantId &&
    (status === undefined || session?.status === status) &&
    (pairId === undefined || session?.pairId === pairId);
  return fits ? session : null;
}
