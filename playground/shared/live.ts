import { type ReadonlySignal, batch } from '@preact/signals';
import type { ControlCall, ControlClient } from 'ofage/mock/client';
import { toMessages } from './live/answers.ts';
import type { Attention } from './live/attention.ts';
import type { LiveClock } from './live/clock.ts';
import { type Connection, type FeedParts, followLive } from './live/feed.ts';
import type { LiveList } from './live/list.ts';
import type { ListItem, ListSource } from './live/list-source.ts';
import { createMirror } from './live/mirror.ts';
import type { LiveMessage } from './live/messages.ts';
import type { LiveQuery, Query } from './live/query.ts';

export type { Connection } from './live/feed.ts';
export type { LiveList } from './live/list.ts';
export type { ListSource } from './live/list-source.ts';
export type { Loadable } from './live/loadable.ts';
export type { LiveMessage, LiveTopic } from './live/messages.ts';
export type { LiveQuery, Query } from './live/query.ts';

/** A local copy of the service's state, which the live stream keeps up to date. */
export interface Live {
  readonly connection: ReadonlySignal<Connection>;
  readonly clock: LiveClock;
  openList<Item extends ListItem>(
    source: ListSource<Item>,
  ): { list: LiveList<Item>; close(): void };
  openQuery<T>(query: Query<T>): { query: LiveQuery<T>; close(): void };
  /** Calls `listener` with each message of the stream. @returns a function that unsubscribes */
  subscribe(listener: (message: LiveMessage) => void): () => void;
  /**
   * Runs a call that changes the state. Shows its response at once, unless the stream has delivered the
   * same resource since the call began.
   */
  change<Answer>(call: ControlCall, run: () => Promise<Answer>): Promise<Answer>;
  /** Keeps updating the page while it is hidden. @returns a function that ends this */
  stayAwake(): () => void;
}

export interface LiveParts {
  readonly client: ControlClient;
  readonly feed: Omit<FeedParts, 'attention'>;
  readonly attention: Attention;
}

/**
 * Creates the local copy of the state. Follows the stream while at least one list, query or subscription is
 * in use.
 */
export function createLive({ client, feed, attention }: LiveParts): Live {
  const mirror = createMirror(client, attention);
  const { connection, clock, lists, queries, tickets, subscribers } = mirror;
  const use = createUses(() => {
    const stopMirror = mirror.start();
    const stopFeed = followLive({ ...feed, attention }, mirror);
    return () => {
      stopMirror();
      stopFeed();
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
    subscribe(listener) {
      // The wrapper object allows the same function to subscribe twice.
      const subscriber = { notify: listener };
      subscribers.add(subscriber);
      return use(() => void subscribers.delete(subscriber));
    },
    async change(call, run) {
      const ticket = tickets.open();
      const answer = await run().finally(ticket.close);
      const messages = toMessages(call, answer).filter((one) => !ticket.isOutdated(one));
      batch(() => {
        for (const one of messages) mirror.apply(one);
        lists.flush();
      });
      return answer;
    },
    stayAwake: () => attention.hold(),
  };
}

/**
 * Counts concurrent uses. Calls `start` at the first one, and the function that `start` returned when the
 * last one has ended.
 */
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
