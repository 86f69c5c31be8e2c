import { batch, signal } from '@preact/signals';
import type { ClockReading } from 'ofage/mock';
import type { ControlClient } from 'ofage/mock/client';
import type { Attention } from './attention.ts';
import { type ClockEngine, createClock } from './clock.ts';
import type { Connection } from './feed.ts';
import { createLists } from './lists.ts';
import type { LiveMessage } from './messages.ts';
import { createQueries } from './query.ts';
import { noteReconnect } from './reconnect.ts';
import { type Tickets, createTickets } from './tickets.ts';

/** The time a page waits for its stream to open before it reads without one. */
const OPEN_WAIT_MS = 250;

/** Creates the parts of a page's copy of the state. They follow the messages of the stream. */
export function createMirror(client: ControlClient, attention: Attention) {
  const connection = signal<Connection>('opening');
  const tickets = createTickets();
  const subscribers = new Set<{ notify(message: LiveMessage): void }>();
  /** True once the stream is open, or the wait for it is over. Lists and queries are not read before that. */
  let isReady = false;
  const clock = createClock();
  const lists = createLists(client, attention, () => isReady);
  const queries = createQueries(attention, () => isReady);

  function apply(message: LiveMessage): void {
    if (message.topic === 'clock') clock.update(message.data as ClockReading);
    lists.apply(message);
  }

  function reload(): void {
    isReady = true;
    lists.reload();
    queries.reload();
  }

  return {
    connection,
    clock,
    lists,
    queries,
    tickets,
    subscribers,
    apply,
    onMessage(message: LiveMessage): void {
      tickets.note(message);
      if (message.topic === 'reload') reload();
      else batch(() => apply(message));
      queries.note(message.topic);
      for (const { notify } of subscribers) notify(message);
    },
    onConnection(next: Connection): void {
      const isBack = connection.peek() === 'lost' && next === 'open';
      connection.value = next;
      if (!isBack) return;
      lists.reload(({ error }) => error.peek() !== '');
      queries.reload(({ error }) => error.peek() !== '');
      noteReconnect();
    },
    /**
     * Starts the clock. If the stream does not open soon, reads everything without it.
     * @returns a function that stops all of this
     */
    start(): () => void {
      isReady = false;
      const openTimer = setTimeout(() => !isReady && reload(), OPEN_WAIT_MS);
      const stopClock = clock.start();
      const { close } = queries.open({ topics: [], read: () => readClock(client, clock, tickets) });
      return () => {
        clearTimeout(openTimer);
        stopClock();
        close();
      };
    },
  };
}

async function readClock(
  client: ControlClient,
  clock: ClockEngine,
  tickets: Tickets,
): Promise<void> {
  const ticket = tickets.open();
  const data = await client.clock.read().finally(ticket.close);
  if (!ticket.isOutdated({ topic: 'clock', data })) clock.update(data);
}
