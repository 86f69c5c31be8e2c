import type { DoctorEvidence, DoctorReport } from 'ofage/mock';

/** Which session stands behind what has an id of its own. */
export type SessionsBehind = ReadonlyMap<string, string>;

export interface EvidenceLink {
  readonly text: string;
  /** Below the playground's root; null when there is nothing to open. */
  readonly path: string | null;
  readonly at: string;
}

/** Where a piece of evidence can be looked at: in the dashboard, by its session or its endpoint. */
export function toEvidenceLink(
  { kind, id, at }: DoctorEvidence,
  behind: SessionsBehind,
): EvidenceLink {
  const sessionId = kind === 'session' ? id : (behind.get(`${kind} ${id}`) ?? null);
  if (kind === 'endpoint')
    return { text: 'endpoint', path: `dashboard/#webhooks/${encodeURIComponent(id)}`, at };
  const text = kind === 'session' ? `session ${shorten(id)}` : `${kind} ${shorten(id)}`;
  const path = sessionId === null ? null : `dashboard/#sessions/${encodeURIComponent(sessionId)}`;
  return { text, path, at };
}

/** The lists that must be asked for before this report's evidence can be linked. */
export function listsFor({ findings }: DoctorReport): readonly string[] {
  const kinds = new Set(findings.flatMap(({ evidence }) => evidence.map(({ kind }) => kind)));
  return LISTS.filter(({ kind }) => kinds.has(kind)).map(({ path }) => path);
}

/** Reads which session each item of a list is about. */
export function toSessionsBehind(
  lists: readonly { readonly path: string; readonly items: readonly unknown[] }[],
): SessionsBehind {
  const pairs = lists.flatMap(({ path, items }) => {
    const kind = LISTS.find((list) => list.path === path)?.kind ?? '';
    return items.flatMap((item) => {
      const { id, sessionId } = Object(item) as { id?: unknown; sessionId?: unknown };
      const known: [string, string][] =
        typeof sessionId === 'string' ? [[`${kind} ${String(id)}`, sessionId]] : [];
      return known;
    });
  });
  return new Map(pairs);
}

const LISTS: readonly { kind: DoctorEvidence['kind']; path: string }[] = [
  { kind: 'request', path: '/requests?limit=500' },
  { kind: 'delivery', path: '/deliveries?limit=1000' },
  { kind: 'observation', path: '/observations' },
];

const shorten = (id: string): string => (id.length > 13 ? `${id.slice(0, 8)}…` : id);
