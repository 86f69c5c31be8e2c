import { type ReadonlySignal, signal } from '@preact/signals';
import type { ControlClient } from 'ofage/mock/client';
import type { Attention } from './attention.ts';
import type { Loadable } from './loadable.ts';
import { createLoader } from './loader.ts';
import { createListItems } from './list-items.ts';
import type { ListItem, ListSource } from './list-source.ts';
import type { LiveMessage } from './messages.ts';

/** The newest items of a source, or all of them if the source has no pages. Oldest first. */
export interface LiveList<Item> extends Loadable<readonly Item[]> {
  readonly data: ReadonlySignal<readonly Item[] | null>;
  readonly error: ReadonlySignal<string>;
  /** True if the service has older items than these. */
  readonly hasOlder: ReadonlySignal<boolean>;
  /**
   * The number of complete reads. More than one happens only after `reload` or a reconnect, on `loadOlder`,
   * or when an item cannot be placed.
   */
  readonly reads: ReadonlySignal<number>;
  /** Reads a further page of older items. */
  loadOlder(): Promise<void>;
}

/** A list with the methods that keep it up to date. */
export interface ListEngine<Item> extends LiveList<Item> {
  /** Applies a message of the list's topic, from the stream or from the response to a change. */
  apply(message: LiveMessage): void;
  /** Shows the applied messages at once, without the usual delay. */
  flush(): void;
  /** Reads the list again. Discards the result of a pending read. */
  reload(): void;
  stop(): void;
}

/** The minimum time between two renders of a list that changes all the time. */
const DRAW_MS = 30;

/**
 * Creates a list that messages of the stream keep up to date. Messages that arrive during a read are
 * applied again to its result, because the result may be older. If the result is newer, applying an older
 * message is harmless: the stream sends every change in order, so the newest one wins.
 */
export function createList<Item extends ListItem>(
  source: ListSource<Item>,
  client: ControlClient,
  attention: Attention,
): ListEngine<Item> {
  const data = signal<readonly Item[] | null>(null);
  const reads = signal(0);
  const items = createListItems(source);
  let asked = 0;
  /** The messages received since the pending read began. Null while no read is pending. */
  let since: LiveMessage[] | null = null;
  const drawing = createDrawing(() => void (data.value = items.toArray()));

  const apply = (message: LiveMessage): void => {
    if (items.apply(message) === 'unclear') loader.askSoon();
  };
  const loader = createLoader(async () => {
    const mine = (asked += 1);
    since = [];
    try {
      const page = await source.read(client, items.limit());
      if (mine !== asked) return;
      items.replace(page);
      for (const message of since) apply(message);
      drawing.now();
      reads.value += 1;
    } finally {
      since = null;
    }
  }, attention);

  return {
    data,
    error: loader.error,
    hasOlder: items.hasOlder,
    reads,
    apply(message) {
      since?.push(message);
      if (data.peek() === null) return;
      apply(message);
      drawing.soon();
    },
    flush: drawing.flush,
    reload() {
      asked += 1;
      loader.askSoon(0);
    },
    loadOlder() {
      items.extend();
      return loader.ask();
    },
    stop() {
      drawing.stop();
      loader.stop();
    },
  };
}

/** Creates a renderer that renders at once, or a short time after the first of several changes. */
function createDrawing(draw: () => void) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const stop = (): void => clearTimeout(timer);
  const now = (): void => {
    stop();
    timer = undefined;
    draw();
  };
  return {
    now,
    stop,
    soon: (): void => void (timer ??= setTimeout(now, DRAW_MS)),
    /** Runs a pending render at once. */
    flush: (): void => {
      if (timer !== undefined) now();
    },
  };
}
