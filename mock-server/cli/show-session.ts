import { listNewest, PAGE } from './list-options.ts';
import type { MockClient } from './mock-client.ts';
import type { Printer } from './printer.ts';

/** Shows a session's state, its events and their deliveries. */
export async function showSession(mock: MockClient, print: Printer, id: string): Promise<void> {
  const session = await mock.session(id);
  const of = { filter: { sessionId: id }, limit: PAGE, order: 'oldest first' } as const;
  const events = await listNewest({ list: mock.pages.events, ...of });
  const deliveries = await listNewest({ list: mock.pages.deliveries, ...of });
  const urls = [...new Set(deliveries.map(({ url }) => url))];
  const { status, reason } = session;
  print.result({ session, events, deliveries }, [
    ['Session', session.id],
    ['Status', reason === null ? status : `${status} (${reason})`],
    ['Events', events.map(({ event }) => event).join(', ')],
    ['Webhooks', urls.length === 0 ? 'none: no endpoint receives these events' : urls.join(', ')],
  ]);
}
