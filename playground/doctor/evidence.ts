import type { Control, DoctorEvidence, DoctorReport } from 'ofage/mock';
import { type SectionId, toHash } from '../dashboard/route.ts';
import { toHash as toInspectorHash } from '../inspector/route.ts';

/** A piece of evidence as the page shows it. */
export interface EvidenceLink {
  readonly text: string;
  /** The page to open, relative to the playground's root. Null if there is none. */
  readonly path: string | null;
}

/** Links to records, by the kind and id of the record. */
export type EvidenceLinks = ReadonlyMap<string, EvidenceLink>;

type Lists = Pick<
  Control,
  'requests' | 'deliveries' | 'observations' | 'sessions' | 'tenants' | 'endpoints'
>;

/** Reads the records of each kind to which a report refers, and returns links to them. */
export async function readEvidence(
  control: Lists,
  { findings, earlier }: DoctorReport,
): Promise<EvidenceLinks> {
  const kinds = new Set(
    [...findings, ...earlier].flatMap(({ evidence }) => evidence.map(({ kind }) => kind)),
  );
  const links = await Promise.all(
    [...kinds].map(async (kind) => {
      const items = await READERS[kind](control);
      return items.map(({ id, ...link }) => [`${kind} ${id}`, link] as const);
    }),
  );
  return new Map(links.flat());
}

/**
 * Names a piece of evidence and links it to its session, its endpoint or its entry in the inspector. A
 * request, delivery or observation that was not read gets no link.
 */
export function toEvidenceLink({ kind, id }: DoctorEvidence, links: EvidenceLinks): EvidenceLink {
  const link = links.get(`${kind} ${id}`);
  if (link) return link;
  switch (kind) {
    case 'session':
      return { text: `session ${shorten(id)}`, path: toSessionPath(id) };
    case 'endpoint':
      return { text: 'the webhook', path: toPath('webhooks', id) };
    default:
      return { text: `${kind} ${shorten(id)}, details not available`, path: null };
  }
}

type Item = EvidenceLink & { readonly id: string | number };

const READERS: {
  readonly [Kind in DoctorEvidence['kind']]: (control: Lists) => Promise<readonly Item[]>;
} = {
  async request(control) {
    const requests = await control.requests({ limit: 1_000 });
    return requests.map(({ id, method, path, status, sessionId }) => {
      const call = `${method} ${path}`;
      const hash = toInspectorHash(sessionId ? { sessionId, text: '' } : { sessionId, text: call });
      return { id, text: `${call} → ${status}`, path: `inspector/${hash}` };
    });
  },
  async delivery(control) {
    const deliveries = await control.deliveries({ limit: 1_000 });
    return deliveries.map(({ id, event, url, sessionId }) => ({
      id,
      text: `${event} to ${url}`,
      path: toSessionPath(sessionId),
    }));
  },
  async observation(control) {
    const observations = await control.observations();
    return observations.map(({ id, kind, by, sessionId }) => ({
      id,
      text: `${kind.replaceAll('_', ' ')}${by === null ? '' : `, reported by ${by}`}`,
      path: toSessionPath(sessionId),
    }));
  },
  async session(control) {
    const sessions = await control.sessions({ limit: 1_000 });
    return sessions.map(({ id, externalUserId }) => ({
      id,
      text: `session ${shorten(id)}${externalUserId === null ? '' : ` of ${externalUserId}`}`,
      path: toSessionPath(id),
    }));
  },
  async endpoint(control) {
    const accounts = await control.tenants();
    const lists = await Promise.all(accounts.map(({ id }) => control.endpoints(id)));
    return lists.flat().map(({ id, url }) => ({ id, text: url, path: toPath('webhooks', id) }));
  },
};

const toPath = (section: SectionId, id: string): string => `dashboard/${toHash({ section, id })}`;
const toSessionPath = (id: string): string => toPath('sessions', id);

const shorten = (id: string): string => (id.length > 13 ? `${id.slice(0, 8)}…` : id);
