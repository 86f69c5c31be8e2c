import type { Control, DoctorEvidence, DoctorReport } from 'ofage-mock';
import type { RouteTarget } from './route.ts';

/** A piece of evidence as the page shows it. */
export interface EvidenceTarget {
  readonly text: string;
  /** The page of its record. Null if there is none. */
  readonly to: RouteTarget | null;
}

type Lists = Pick<
  Control,
  'requests' | 'deliveries' | 'observations' | 'sessions' | 'tenants' | 'endpoints'
>;

/** Reads the records of each kind to which a report refers. The keys are the kind and id of a record. */
export async function readEvidence(
  control: Lists,
  { findings, earlier }: DoctorReport,
): Promise<ReadonlyMap<string, EvidenceTarget>> {
  const kinds = new Set(
    [...findings, ...earlier].flatMap(({ evidence }) => evidence.map(({ kind }) => kind)),
  );
  const targets = await Promise.all(
    [...kinds].map(async (kind) => {
      const items = await READERS[kind](control);
      return items.map(({ id, ...target }) => [`${kind} ${id}`, target] as const);
    }),
  );
  return new Map(targets.flat());
}

/**
 * Names a piece of evidence and links it to its session, its endpoint or its entry in the timeline. A
 * request, delivery or observation that was not read gets no link.
 */
export function toEvidence(
  { kind, id }: DoctorEvidence,
  targets: ReadonlyMap<string, EvidenceTarget>,
): EvidenceTarget {
  const target = targets.get(`${kind} ${id}`);
  if (target) return target;
  switch (kind) {
    case 'session':
      return { text: `session ${shorten(id)}`, to: toSession(id) };
    case 'endpoint':
      return { text: 'the webhook', to: { page: 'webhooks', id } };
    default:
      return { text: `${kind} ${shorten(id)}, details not available`, to: null };
  }
}

type Item = EvidenceTarget & { readonly id: string | number };

const READERS: {
  readonly [Kind in DoctorEvidence['kind']]: (control: Lists) => Promise<readonly Item[]>;
} = {
  async request(control) {
    const requests = await control.requests({ limit: 1_000 });
    return requests.map(({ id, method, path, status, sessionId }) => {
      const call = `${method} ${path}`;
      const query: Record<string, string> = sessionId ? { session: sessionId } : { text: call };
      return { id, text: `${call} → ${status}`, to: { page: 'timeline', query } };
    });
  },
  async delivery(control) {
    const deliveries = await control.deliveries({ limit: 1_000 });
    return deliveries.map(({ id, event, url, sessionId }) => ({
      id,
      text: `${event} to ${url}`,
      to: toSession(sessionId),
    }));
  },
  async observation(control) {
    const observations = await control.observations();
    return observations.map(({ id, kind, by, sessionId }) => ({
      id,
      text: `${kind.replaceAll('_', ' ')}${by === null ? '' : `, reported by ${by}`}`,
      to: toSession(sessionId),
    }));
  },
  async session(control) {
    const sessions = await control.sessions({ limit: 1_000 });
    return sessions.map(({ id, externalUserId }) => ({
      id,
      text: `session ${shorten(id)}${externalUserId === null ? '' : ` of ${externalUserId}`}`,
      to: toSession(id),
    }));
  },
  async endpoint(control) {
    const accounts = await control.tenants();
    const lists = await Promise.all(accounts.map(({ id }) => control.endpoints(id)));
    return lists.flat().map(({ id, url }) => ({ id, text: url, to: { page: 'webhooks', id } }));
  },
};

const toSession = (id: string): RouteTarget => ({ page: 'sessions', id });

const shorten = (id: string): string => (id.length > 13 ? `${id.slice(0, 8)}…` : id);
