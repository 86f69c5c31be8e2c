import { type ReadonlySignal, batch, signal } from '@preact/signals';
import type { ClockReading } from 'ofage/mock';
import type { ControlCall, ControlClient } from 'ofage/mock/client';
import { toNews } from './live/answers.ts';
import type { Attention } from './live/attention.ts';
import { type LiveClock, createClock } from './live/clock.ts';
import { type Connection, type FeedParts, followLive } from './live/feed.ts';
import type { ListItem, ListSource, LiveList } from './live/list.ts';
import { createLists } from './live/lists.ts';
import type { LiveNews } from './live/news.ts';
import { type LiveQuery, type Query, createQueries } from './live/query.ts';
import { noteReconnect } from './live/reconnect.ts';
import { createTickets } from './live/tickets.ts';

export type { Connection } from './live/feed.ts';
export type { ListSource, LiveList } from './live/list.ts';
export type { Loadable } from './live/loadable.ts';
export type { LiveNews, LiveTopic } from './live/news.ts';
export type { LiveQuery, Query } from './live/query.ts';

/** A page's copy of the service's state, kept up to date by the live stream. */
export interface Live {
  readonly connection: ReadonlySignal<Connection>;
  readonly clock: LiveClock;
  openList<Item extends ListItem>(
    source: ListSource<Item>,
  ): { list: LiveList<Item>; close(): void };
  openQuery<T>(query: Query<T>): { query: LiveQuery<T>; close(): void };
  /** Follows the news themselves. @returns how to stop */
  subscribe(hear: (news: LiveNews) => void): () => void;
  /**
   * Runs a call that changes the state. Its answer is shown at once, unless the stream has told of
   * something newer meanwhile.
   */
  change<Answer>(call: ControlCall, run: () => Promise<Answer>): Promise<Answer>;
  /** Keeps the page up to date while it is hidden, too. @returns how to stop */
  stayAwake(): () => void;
}

export interface LiveParts {
  readonly client: ControlClient;
  readonly feed: Omit<FeedParts, 'attention'>;
  readonly attention: Attention;
}

/** How long a page waits for its stream before it reads without one. */
const PATIENCE_MS = 250;

/** Creates the mirror. The stream is open from the first use to the end of the last. */
export function createLive({ client, feed, attention }: LiveParts): Live {
  const connection = signal<Connection>('opening');
  const tickets = createTickets();
  const subscribers = new Set<{ hear(news: LiveNews): void }>();
  /** Whether the stream is open, so that what is read from now on is not older than it. */
  let isReady = false;
  const clock = createClock();
  const lists = createLists(client, attention, () => isReady);
  const queries = createQueries(attention, () => isReady);

  async function readClock(): Promise<void> {
    const ticket = tickets.open();
    const data = await client.clock.read().finally(ticket.close);
    if (!ticket.isOutdated({ topic: 'clock', data })) clock.take(data);
  }

  function apply(news: LiveNews): void {
    if (news.topic === 'clock') clock.take(news.data as ClockReading);
    lists.take(news);
  }

  function reload(): void {
    isReady = true;
    lists.reload();
    queries.reload();
  }

  function onNews(news: LiveNews): void {
    tickets.note(news);
    if (news.topic === 'reload') reload();
    else batch(() => apply(news));
    queries.note(news.topic);
    for (const { hear } of subscribers) hear(news);
  }

  function onConnection(next: Connection): void {
    const isBack = connection.peek() === 'lost' && next === 'open';
    connection.value = next;
    if (!isBack) return;
    lists.reload(({ trouble }) => trouble.peek() !== '');
    queries.reload(({ trouble }) => trouble.peek() !== '');
    noteReconnect();
  }

  const use = createUses(() => {
    isReady = false;
    const patience = setTimeout(() => !isReady && reload(), PATIENCE_MS);
    const stops = [
      () => clearTimeout(patience),
      clock.start(),
      queries.open({ topics: [], read: readClock }).close,
      followLive({ ...feed, attention }, { onNews, onConnection }),
    ];
    return () => {
      for (const stop of stops) stop();
    };
  });

  return {
    connection,
    clock,
    openList(source) {
      const opened = lists.open(source);
      return { list: opened.list, close: use(opened.close) };
    },
    openQuery(asked) {
      const opened = queries.open(asked);
      return { query: opened.query, close: use(opened.close) };
    },
    subscribe(hear) {
      // Wrapped, so that a function can listen twice.
      const subscriber = { hear };
      subscribers.add(subscriber);
      return use(() => void subscribers.delete(subscriber));
    },
    async change(call, run) {
      const ticket = tickets.open();
      const answer = await run().finally(ticket.close);
      const news = toNews(call, answer).filter((one) => !ticket.isOutdated(one));
      batch(() => {
        for (const one of news) apply(one);
        lists.flush();
      });
      return answer;
    },
    stayAwake: () => attention.hold(),
  };
}

/** Starts with the first use, and stops with the end of the last. */
function createUses(start: () => () => void): (end: () => void) => () => void {
  let users = 0;
  let stop = (): void => {};
  return (end) => {
    users += 1;
    if (users === 1) stop = start();
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      users -= 1;
      end();
      if (users === 0) stop();
    };
  };
}
