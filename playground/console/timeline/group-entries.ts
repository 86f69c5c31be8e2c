import type { ReportResource, RequestResource } from 'ofage-mock';
import type { Entry } from './entry.ts';

/** The entries of one verification, oldest first. */
export interface VerificationGroup {
  readonly kind: 'verification';
  /** The id of the session, or that of the `verify()` call. */
  readonly id: string;
  /** Null for a verification without a session, for example after a blocked window. */
  readonly sessionId: string | null;
  readonly entries: readonly Entry[];
}

/** An entry that belongs to no verification, such as a change of the settings. */
interface SingleEntry {
  readonly kind: 'single';
  readonly id: string;
  readonly entries: readonly [Entry];
}

export type Block = VerificationGroup | SingleEntry;

/**
 * Groups entries by verification. A verification and its session are one group. The newest entry of a group
 * decides its place, so that what has just happened is at the end, also if it belongs to an old session.
 * @param entries Oldest first
 * @returns the blocks, oldest first
 */
export function groupEntries(entries: readonly Entry[]): Block[] {
  /** Newest first, because a Map keeps the order of insertion. */
  const blocks = new Map<string, { about: Entry; newestFirst: Entry[] }>();
  for (const entry of entries.toReversed()) {
    // The service gives all reports of a verification its session once that is known.
    const key = entry.sessionId ?? entry.call ?? entry.id;
    const known = blocks.get(key);
    if (known) known.newestFirst.push(entry);
    else blocks.set(key, { about: entry, newestFirst: [entry] });
  }
  return [...blocks].toReversed().map(([id, { about, newestFirst }]): Block => {
    if (id === about.id) return { kind: 'single', id, entries: [about] };
    const { sessionId } = about;
    return { kind: 'verification', id, sessionId, entries: newestFirst.toReversed() };
  });
}

/** Returns the verification that began last. An older one may have newer entries. */
export function findNewestVerification(blocks: readonly Block[]): VerificationGroup | undefined {
  return blocks
    .filter((block) => block.kind === 'verification')
    .toSorted((a, b) => startOf(a) - startOf(b))
    .at(-1);
}

const startOf = ({ entries }: VerificationGroup): number => entries[0]?.atMs ?? 0;

/** The newest blocks, and the number of entries that are left out. */
export interface NewestBlocks {
  readonly blocks: readonly Block[];
  readonly older: number;
}

/** Takes the newest blocks until they have a number of entries. A group is never cut. */
export function takeNewest(blocks: readonly Block[], count: number): NewestBlocks {
  let from = blocks.length;
  let taken = 0;
  while (from > 0 && taken < count) {
    from -= 1;
    taken += blocks[from]?.entries.length ?? 0;
  }
  const older = blocks.slice(0, from).reduce((sum, { entries }) => sum + entries.length, 0);
  return { blocks: blocks.slice(from), older };
}

/** Returns the page of a verification, as far as its entries tell, as an origin or a URL without its query. */
export function findPageUrl(entries: readonly Entry[]): string | null {
  const reported = entries.flatMap(({ detail }) => {
    const { pageUrl }: Partial<ReportResource> = Object(detail);
    return pageUrl ?? [];
  });
  const requested = entries
    .filter(({ kind }) => kind === 'request')
    .flatMap(({ detail }) => {
      const { operation, origin } = detail as RequestResource;
      return operation === 'create' && origin !== null ? origin : [];
    });
  return reported[0] ?? requested[0] ?? null;
}
