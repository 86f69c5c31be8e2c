import type { SessionResource } from 'ofage/mock';
import type { Provider } from '../shared/provider.ts';
import { encodeSegment } from './encode-segment.ts';

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
  provider: Provider,
  { text, before, ...filter }: SessionSearch,
): Promise<SessionPage> {
  const wanted = text.trim();
  const ask = (more: Record<string, string | number>): Promise<SessionPage> =>
    provider.control('GET', `/sessions?${toQuery({ ...filter, ...more })}`);
  if (wanted === '') return { ...(await ask({ before, limit: PAGE_SIZE })), isPartial: false };

  const [newest, byUser, byId] = await Promise.all([
    ask({ limit: MOST_SESSIONS }),
    ask({ externalUserId: wanted, limit: MOST_SESSIONS }),
    findById(provider, wanted, filter),
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

/** The query of an address, without what is empty. */
export function toQuery(values: Readonly<Record<string, string | number>>): string {
  const given = Object.entries(values).filter(([, value]) => value !== '');
  return String(new URLSearchParams(given.map(([name, value]) => [name, String(value)])));
}

async function findById(
  provider: Provider,
  id: string,
  { tenantId, status, pairId }: Pick<SessionSearch, 'tenantId' | 'status' | 'pairId'>,
): Promise<SessionResource | null> {
  const session = await provider
    .control<SessionResource>('GET', `/sessions/${encodeSegment(id)}`)
    .catch(() => null);
  const fits =
    session?.tenantId === tenantId &&
    (status === '' || session.status === status) &&
    (pairId === '' || session.pairId === pairId);
  return fits ? session : null;
}
