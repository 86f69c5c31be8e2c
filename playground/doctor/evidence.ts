import type { Control, DoctorEvidence, DoctorReport } from 'ofage/mock';
import { type SectionId, toHash } from '../dashboard/route.ts';

/** The session of each delivery or request, by the id of that resource. */
export type SessionsBehind = ReadonlyMap<string, string | null>;

export interface EvidenceLink {
  readonly text: string;
  /** Relative to the playground's root; null if there is no page to open. */
  readonly path: string | null;
  readonly at: string;
}

/** Returns the dashboard page that shows a piece of evidence: its session or its endpoint. */
export function toEvidenceLink(
  { kind, id, at }: DoctorEvidence,
  behind: SessionsBehind,
): EvidenceLink {
  const sessionId = kind === 'session' ? id : (behind.get(`${kind} ${id}`) ?? null);
  if (kind === 'endpoint') return { text: 'endpoint', path: toPath('webhooks', id), at };
  const text = kind === 'session' ? `session ${shorten(id)}` : `${kind} ${shorten(id)}`;
  const path = sessionId === null ? null : toPath('sessions', sessionId);
  return { text, path, at };
}

const toPath = (section: SectionId, id: string): string => `dashboard/${toHash({ section, id })}`;

/** Fetches the session of each piece of evidence in this report. */
export async function readSessionsBehind(
  control: Lists,
  { findings }: DoctorReport,
): Promise<SessionsBehind> {
  const kinds = new Set(findings.flatMap(({ evidence }) => evidence.map(({ kind }) => kind)));
  const pairs = [...kinds].map(async (kind) => {
    const items = (await LISTS[kind]?.(control)) ?? [];
    return items.map(({ id, sessionId }) => [`${kind} ${id}`, sessionId] as const);
  });
  return new Map((await Promise.all(pairs)).flat());
}

type Lists = Pick<Control, 'requests' | 'deliveries' | 'observations'>;

const LISTS: {
  readonly [Kind in DoctorEvidence['kind']]?: (
    control: Lists,
  ) => Promise<readonly { readonly id: string | number; readonly sessionId: string | null }[]>;
} = {
  request: (control) => control.requests({ limit: 500 }),
  delivery: (control) => control.deliveries({ limit: 1_000 }),
  observation: (control) => control.observations(),
};

const shorten = (id: string): string => (id.length > 13 ? `${id.slice(0, 8)}…` : id);
