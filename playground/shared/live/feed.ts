import type { Attention } from './attention.ts';
import { type LiveNews, RELOAD } from './news.ts';
import { type OpenStream, readLiveStream } from './stream.ts';

/** `lost`: the service cannot be reached, or says nothing. `paused`: this page is hidden. */
export type Connection = 'opening' | 'open' | 'lost' | 'paused';

export interface FeedListener {
  onNews(news: LiveNews): void;
  onConnection(connection: Connection): void;
}

export interface FeedParts {
  readonly open: OpenStream;
  readonly attention: Attention;
  /** Null gives the page a stream of its own, as it must have where the service is in the page. */
  readonly shared: SharedParts | null;
}

/** What the pages of a browser share, so that they need only one stream. */
export interface SharedParts {
  /** Names the lock and the channel. */
  readonly name: string;
  readonly locks: Pick<LockManager, 'request'>;
  openChannel(name: string, hear: (message: Relayed) => void): Channel;
}

/** Reaches every other page of the same name. */
export interface Channel {
  send(message: Relayed): void;
  close(): void;
}

/** What pages tell each other. `after` and `lastId` show a page whether it has missed a message. */
export type Relayed =
  | { readonly kind: 'hello' }
  | { readonly kind: 'beat'; readonly lastId: string | null; readonly connection: Connection }
  | {
      readonly kind: 'news';
      readonly id: string;
      readonly after: string | null;
      readonly news: LiveNews;
    };

/** How often the leader shows that it is alive. */
const BEAT_MS = 1_000;
/** A leader that is silent for so long is stuck, and loses the lead. It is awake, so it is not throttled. */
const STUCK_MS = 3_500;
/** How many ids of messages a page remembers. */
const HEARD = 100;

/**
 * Follows the live stream with at most one connection per browser, because HTTP/1.1 allows only six to a
 * host. The pages that are awake queue for a Web Lock. The one that holds it reads the stream and relays
 * each message over a BroadcastChannel. When it is closed, hidden or stuck, the next one resumes the stream
 * after the last message that it has seen. While every page is hidden, no stream is open.
 *
 * @returns how to stop
 */
export function followLive(parts: FeedParts, listener: FeedListener): () => void {
  const { open, attention } = parts;
  let { shared } = parts;
  const position = createPosition(listener);
  const channel = shared?.openChannel(shared.name, hear) ?? null;
  /** Ends this page's turn, or its place in the queue. Null while the page sleeps. */
  let turn: AbortController | null = null;
  let leading: AbortSignal | null = null;
  let stuck: ReturnType<typeof setTimeout> | undefined;
  let isOver = false;

  async function takeTurn(signal: AbortSignal): Promise<void> {
    leading = signal;
    clearTimeout(stuck);
    await lead(open, position, channel, signal);
    if (leading === signal) leading = null;
    watchLeader();
  }

  async function queue(steal: boolean): Promise<void> {
    const mine = (turn = new AbortController());
    const { signal } = mine;
    watchLeader();
    try {
      // The two options exclude each other.
      const options: LockOptions = steal ? { steal } : { signal };
      if (shared) await shared.locks.request(shared.name, options, () => takeTurn(signal));
      else await takeTurn(signal);
    } catch (error) {
      // An AbortError says that the page has left the queue, or that the lead was taken away from it.
      if (Object(error).name !== 'AbortError') shared = null;
    }
    mine.abort();
    if (turn !== mine) return;
    turn = null;
    update();
  }

  function watchLeader(): void {
    clearTimeout(stuck);
    if (leading || !turn || !shared) return;
    stuck = setTimeout(
      () => {
        turn?.abort();
        void queue(true);
      },
      // Not all pages at once: each theft would end the one before.
      STUCK_MS + Math.random() * BEAT_MS,
    );
  }

  function update(): void {
    const isAwake = !isOver && attention.isAwake();
    if (isAwake && !turn) {
      position.setConnection('opening');
      channel?.send({ kind: 'hello' });
      void queue(false);
    } else if (!isAwake) {
      turn?.abort();
      turn = null;
      clearTimeout(stuck);
      position.setConnection('paused');
    }
  }

  function hear(message: Relayed): void {
    if (message.kind === 'hello') {
      if (leading) channel?.send(position.toBeat());
      return;
    }
    // For a moment after a theft there are two leaders.
    if (leading) return;
    watchLeader();
    if (message.kind === 'news') position.takeRelayed(message);
    else position.catchUp(message.lastId);
    if (message.kind === 'beat' && turn) position.setConnection(message.connection);
  }

  const stopWatching = attention.onChange(update);
  update();
  return () => {
    isOver = true;
    stopWatching();
    update();
    channel?.close();
  };
}

/** Reads the stream for all pages, until the signal aborts. */
async function lead(
  open: OpenStream,
  position: Position,
  channel: Channel | null,
  signal: AbortSignal,
): Promise<void> {
  const beat = (): void => {
    if (!signal.aborted) channel?.send(position.toBeat());
  };
  const beating = setInterval(beat, BEAT_MS);
  const listener = {
    lastId: position.lastId,
    onOpen(id: string) {
      // Whatever happened before the stream was open is not in it.
      if (position.lastId() === null) position.take(id, RELOAD);
      beat();
    },
    onNews(id: string, news: LiveNews) {
      const after = position.lastId();
      position.take(id, news);
      channel?.send({ kind: 'news', id, after, news });
    },
    onConnection(isUp: boolean) {
      position.setConnection(isUp ? 'open' : 'lost');
      beat();
    },
  };
  await readLiveStream(open, listener, signal);
  clearInterval(beating);
}

type Position = ReturnType<typeof createPosition>;

/** How far a page has followed the stream, and how its connection is. */
function createPosition(listener: FeedListener) {
  let lastId: string | null = null;
  let connection: Connection | null = null;
  /** A new leader may be behind this page, and repeat what this page has heard. */
  let heard: readonly string[] = [];
  const take = (id: string, news: LiveNews): void => {
    lastId = id;
    heard = [...heard.slice(1 - HEARD), id];
    listener.onNews(news);
  };
  return {
    lastId: () => lastId,
    take,
    takeRelayed({ id, after, news }: Relayed & { kind: 'news' }): void {
      if (!heard.includes(id)) take(id, after === lastId ? news : RELOAD);
    },
    catchUp(id: string | null): void {
      if (id !== null && !heard.includes(id)) take(id, RELOAD);
    },
    setConnection(next: Connection): void {
      if (next === connection) return;
      connection = next;
      listener.onConnection(next);
    },
    toBeat: (): Relayed => ({ kind: 'beat', lastId, connection: connection ?? 'opening' }),
  };
}

/** Returns the browser's own parts; null where it has none, as outside a secure context. */
export function findSharedParts(name: string): SharedParts | null {
  // Typed as always there, and it is not.
  const locks = navigator.locks as LockManager | undefined;
  if (!locks) return null;
  return {
    name,
    locks,
    openChannel(channelName, hear) {
      const channel = new BroadcastChannel(channelName);
      channel.addEventListener('message', ({ data }: MessageEvent<Relayed>) => hear(data));
      return {
        // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has no target
        send: (message) => channel.postMessage(message),
        close: () => channel.close(),
      };
    },
  };
}
