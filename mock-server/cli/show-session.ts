import type { DeliveryResource, EventResource, SessionResource } from '../control/resources.ts';
import { listNewest, PAGE } from './list-options.ts';
import type { MockClient } from './mock-client.ts';
import type { Printer } from './printer.ts';

/** Shows what has become of a session, which events that made, and where they go. */
export async function showSession(mock: MockClient, print: Printer, id: string): Promise<void> {
  const session = await mock.get<SessionResource>(`/sessions/${encodeURIComponent(id)}`);
  const of = { query: { sessionId: id }, limit: PAGE, order: 'oldest first' } as const;
  const events = await listNewest<EventResource>(mock, { path: '/events', ...of });
  const deliveries = await listNewest<DeliveryResource>(mock, { path: '/deliveries', ...of });
  const urls = [...new Set(deliveries.map(({ url }) => url))];
  const { status, reason } = session;
  print.result({ session, events, deliveries }, [
    ['Session', session.id],
    ['Status', reason === null ? status : `${status} (${reason})`],
    ['Events', events.map(({ event }) => event).join(', ')],
    ['Webhooks', urls.length === 0 ? 'none: no endpoint takes these events' : urls.join(', ')],
  ]);
}
