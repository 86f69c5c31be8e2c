import type {
  DeliveryResource,
  EventResource,
  ReportResource,
  RequestResource,
  SessionResource,
} from 'ofage-mock';
import type { ControlClient } from 'ofage-mock/client';
import type { Query } from '../../shared/live.ts';
import type { Entry } from './entry.ts';
import {
  toDeliveryEntries,
  toEventEntry,
  toReportEntry,
  toRequestEntry,
  toSessionEntries,
} from './to-entries.ts';

/** What the service has stored about one session. */
export interface SessionHistory {
  /** Null if the session does not exist. */
  readonly session: SessionResource | null;
  readonly requests: readonly RequestResource[];
  readonly events: readonly EventResource[];
  readonly deliveries: readonly DeliveryResource[];
  readonly reports: readonly ReportResource[];
}

const MAX_ITEMS = 1_000;

export function sessionHistory(client: ControlClient, id: string): Query<SessionHistory> {
  return {
    key: `history ${id}`,
    // The next attempt of a delivery also depends on its endpoint.
    topics: ['session', 'request', 'event', 'delivery', 'report', 'endpoint'],
    async read() {
      const filter = { sessionId: id, limit: MAX_ITEMS };
      const [session, requests, events, deliveries, reports] = await Promise.all([
        client.session(id).catch(() => null),
        client.requests(filter),
        client.events(filter),
        client.deliveries(filter),
        client.reports(filter),
      ]);
      return { session, requests, events, deliveries, reports };
    },
  };
}

export function toHistoryEntries(history: SessionHistory): Entry[] {
  const { session, requests, events, deliveries, reports } = history;
  return [
    ...(session ? toSessionEntries(session) : []),
    ...reports.map(toReportEntry),
    ...requests.map(toRequestEntry),
    ...events.map(toEventEntry),
    ...deliveries.flatMap(toDeliveryEntries),
  ];
}
