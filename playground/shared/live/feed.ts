import type { Attention } from './attention.ts';
import { type LiveMessage, RELOAD } from './messages.ts';
import { type OpenStream, readLiveStream } from './stream.ts';

/**
 * The state of the stream. `lost` means that the service is unreachable or silent, and `paused` that this
 * page is hidden and not kept awake.
 */
export type Connection = 'opening' | 'open' | 'lost' | 'paused';

export interface FeedListener {
  onMessage(message: LiveMessage): void;
  onConnection(connection: Connection): void;
}

export interface FeedParts {
  readonly open: OpenStream;
  readonly attention: Attention;
  /**
   * The parts that pages share. Null opens a separate stream for this page, which is required if the
   * service runs in the page itself.
   */
  readonly shared: SharedParts | null;
}

/** The parts that the pages of a browser share, so that they need only one stream. */
export interface SharedParts {
  /** The name of the lock and of the channel. */
  readonly name: string;
  readonly locks: Pick<LockManager, 'request'>;
  openChannel(name: string, receive: (message: Relayed) => void): Channel;
}

/** A channel to every other page that uses the same name. */
export interface Channel {
  send(message: Relayed): void;
  close(): void;
}

/**
 * A message between pages. `after` is the id of the previous message. A page compares it, or the `lastId`
 * of a beat, with its own position to detect a missed message.
 */
export type Relayed =
  | { readonly kind: 'hello' }
  | { readonly kind: 'beat'; readonly lastId: string | null; readonly connection: Connection }
  | {
      readonly kind: 'message';
      readonly id: string;
      readonly after: string | null;
      readonly message: LiveMessage;
    };

/** The interval at which the leader shows that it is alive. */
const BEAT_MS = 1_000;
/**
 * The silence after which a leader counts as stuck and loses the lock. A leader is usually visible, so the
 * browser does not throttle its timers.
 */
const STUCK_MS = 3_500;
/** The number of message ids that a page remembers. */
const MAX_RECEIVED = 100;

/**
 * Follows the live stream. With `shared`, all pages of a browser use one connection, because browsers allow
 * only six HTTP/1.1 connections to a host. The pages that are awake queue for a Web Lock. The page that
 * holds the lock is the leader: it reads the stream and relays each message over a BroadcastChannel. When
 * the leader is closed, hidden or stuck, the next page resumes the stream after the last message that it has
 * received. While every page is hidden, no stream is open.
 * @returns a function that stops following
 */
export function followLive(
  { open, attention, shared }: FeedParts,
  listener: FeedListener,
): () => void {
  const page: Page = {
    open,
    shared,
    position: createPosition(listener),
    channel: shared?.openChannel(shared.name, (message) => receive(page, message)) ?? null,
    isAwake: () => attention.isAwake(),
    turn: null,
    leading: null,
    stuck: undefined,
  };
  const stopWatching = attention.onChange(() => update(page));
  update(page);
  return () => {
    page.isAwake = () => false;
    stopWatching();
    update(page);
    page.channel?.close();
  };
}

/** The state of this page while it follows the stream, alone or together with other pages. */
interface Page {
  readonly open: OpenStream;
  /** Null if the page has no shared parts, or after its Web Lock has failed. */
  shared: SharedParts | null;
  readonly position: Position;
  readonly channel: Channel | null;
  isAwake: () => boolean;
  /** Aborts this page's lead, or its place in the queue. Null while the page is not awake. */
  turn: AbortController | null;
  /** The signal that ends this page's lead. Null while this page does not lead. */
  leading: AbortSignal | null;
  stuck: ReturnType<typeof setTimeout> | undefined;
}

/** Joins the queue when the page wakes up, and leaves it when the page goes to sleep. */
function update(page: Page): void {
  const isAwake = page.isAwake();
  if (isAwake && !page.turn) {
    page.position.setConnection('opening');
    page.channel?.send({ kind: 'hello' });
    void queue(page, false);
  } else if (!isAwake) {
    page.turn?.abort();
    page.turn = null;
    clearTimeout(page.stuck);
    page.position.setConnection('paused');
  }
}

async function queue(page: Page, steal: boolean): Promise<void> {
  const { shared } = page;
  const mine = (page.turn = new AbortController());
  const { signal } = mine;
  watchLeader(page);
  try {
    // The Web Locks API forbids `steal` together with `signal`.
    const options: LockOptions = steal ? { steal } : { signal };
    if (shared) await shared.locks.request(shared.name, options, () => leadPages(page, signal));
    else await leadPages(page, signal);
  } catch (error) {
    // An AbortError means that the page has left the queue, or that another page has stolen the lock. After
    // any other error this page opens its own stream.
    if (Object(error).name !== 'AbortError') page.shared = null;
  }
  mine.abort();
  if (page.turn !== mine) return;
  page.turn = null;
  update(page);
}

async function leadPages(page: Page, signal: AbortSignal): Promise<void> {
  page.leading = signal;
  clearTimeout(page.stuck);
  await lead(page, signal);
  if (page.leading === signal) page.leading = null;
  watchLeader(page);
}

/** Steals the lock if the leader is silent for too long. */
function watchLeader(page: Page): void {
  clearTimeout(page.stuck);
  if (page.leading || !page.turn || !page.shared) return;
  page.stuck = setTimeout(
    () => {
      page.turn?.abort();
      void queue(page, true);
    },
    // The random delay keeps pages from stealing at the same time. Otherwise each would take the lock from the
    // previous one.
    STUCK_MS + Math.random() * BEAT_MS,
  );
}

function receive(page: Page, message: Relayed): void {
  const { position, channel, leading } = page;
  if (message.kind === 'hello') {
    if (leading) channel?.send(position.toBeat());
    return;
  }
  // After a steal, two leaders exist for a moment. Each ignores the messages of the other.
  if (leading) return;
  watchLeader(page);
  if (message.kind === 'message') position.applyRelayed(message);
  else position.catchUp(message.lastId);
  if (message.kind === 'beat' && page.turn) position.setConnection(message.connection);
}

/** Reads the stream for all pages until the signal aborts. */
async function lead({ open, position, channel }: Page, signal: AbortSignal): Promise<void> {
  const beat = (): void => {
    if (!signal.aborted) channel?.send(position.toBeat());
  };
  const beating = setInterval(beat, BEAT_MS);
  const listener = {
    lastId: position.lastId,
    onOpen(id: string) {
      // The stream does not contain changes from before it was opened, so a page without a position must
      // reload.
      if (position.lastId() === null) position.advance(id, RELOAD);
      beat();
    },
    onMessage(id: string, message: LiveMessage) {
      const after = position.lastId();
      position.advance(id, message);
      channel?.send({ kind: 'message', id, after, message });
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

/** Creates the page's position in the stream together with the state of its connection. */
function createPosition(listener: FeedListener) {
  let lastId: string | null = null;
  let connection: Connection | null = null;
  /** The ids of the last received messages. A new leader may be behind this page and repeat them. */
  let received: readonly string[] = [];
  const advance = (id: string, message: LiveMessage): void => {
    lastId = id;
    received = [...received.slice(1 - MAX_RECEIVED), id];
    listener.onMessage(message);
  };
  return {
    lastId: () => lastId,
    advance,
    applyRelayed({ id, after, message }: Relayed & { kind: 'message' }): void {
      if (!received.includes(id)) advance(id, after === lastId ? message : RELOAD);
    },
    catchUp(id: string | null): void {
      if (id !== null && !received.includes(id)) advance(id, RELOAD);
    },
    setConnection(next: Connection): void {
      if (next === connection) return;
      connection = next;
      listener.onConnection(next);
    },
    toBeat: (): Relayed => ({ kind: 'beat', lastId, connection: connection ?? 'opening' }),
  };
}

/**
 * Returns the browser's Web Locks and BroadcastChannel, or null if Web Locks are missing, as in an insecure
 * context.
 */
export function findSharedParts(name: string): SharedParts | null {
  // TypeScript declares `locks` as always present, but insecure contexts lack it.
  const locks = navigator.locks as LockManager | undefined;
  if (!locks) return null;
  return {
    name,
    locks,
    openChannel(channelName, receive) {
      const channel = new BroadcastChannel(channelName);
      channel.addEventListener('message', ({ data }: MessageEvent<Relayed>) => receive(data));
      return {
        // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has no target
        send: (message) => channel.postMessage(message),
        close: () => channel.close(),
      };
    },
  };
}
