import type { DoctorEvidence } from 'ofage-mock';
import type { RouteTarget } from './route.ts';

/** Returns the page of the record: its endpoint, its entry in the timeline, or the page of its session. */
export function toEvidencePage({ kind, id, text, sessionId }: DoctorEvidence): RouteTarget {
  if (kind === 'endpoint') return { page: 'webhooks', id };
  if (kind !== 'request' && sessionId !== null) return { page: 'sessions', id: sessionId };
  // A refused request belongs to no session in the timeline, but its entry contains each of these words.
  const words = sessionId === null ? text : `${text} ${sessionId}`;
  return { page: 'timeline', query: { text: words } };
}
