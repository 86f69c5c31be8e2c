import { type ReadonlySignal, signal } from '@preact/signals';
import type { ControlClient } from 'ofage/mock/client';
import type { Attention } from './attention.ts';
import type { Loadable } from './loadable.ts';
import { createLoader } from './loader.ts';
import { type LiveNews, type LiveTopic, toItem } from './news.ts';

/** The newest items that match, or all of them. Oldest first. */
export interface LiveList<Item> extends Loadable<readonly Item[]> {
  readonly data: ReadonlySignal<readonly Item[] | null>;
  readonly trouble: ReadonlySignal<string>;
  /** Whether the service has older items than these. */
  readonly hasOlder: ReadonlySignal<boolean>;
  /** How often the list was read whole, which is once unless the stream has said `reload`. */
  readonly reads: ReadonlySignal<number>;
  /** Reads more of them, up to `MOST` items in all. */
  loadOlder(): Promise<void>;
}

export interface Page<Item> {
  /** Oldest first. */
  readonly items: readonly Item[];
  /** Null when the service has nothing older. */
  readonly next: unknown;
}

export interface ListSource<Item> {
  /** Names the list: two sources of one key are the same. */
  readonly key: string;
  readonly topic: LiveTopic;
  matches(item: Item): boolean;
  /** Reads the newest so many, or all of a list that does not page. */
  read(client: ControlClient, limit: number): Promise<Page<Item>>;
  /** How many are kept at first, and how many more `loadOlder` brings. Absent for a list that does not page. */
  readonly limit?: number | undefined;
}

/** A list as the mirror drives it. */
export interface ListEngine<Item> extends LiveList<Item> {
  /** Applies news of the list's topic: the stream's, or the answer to a change. */
  take(news: LiveNews): void;
  /** Shows at once what was taken. */
  flush(): void;
  /** Reads the list again, and drops what is being read now. */
  reload(): void;
  stop(): void;
}

export type ListItem = { readonly id: string | number; readonly createdAt?: string };

/** The most items of a list, which is the longest page that the service gives. */
export const MOST = 1_000;
/** A list that changes all the time is drawn this often at most. */
const DRAW_MS = 30;

/**
 * Creates a list that the stream's news keep up to date. News that come while the list is being read are
 * applied again to what was read, which may be older. The other way round does no harm: the stream brings
 * every change in order, so that the newest wins in the end.
 */
export function createList<Item extends ListItem>(
  { limit: step, matches, read }: ListSource<Item>,
  client: ControlClient,
  attention: Attention,
): ListEngine<Item> {
  const data = signal<readonly Item[] | null>(null);
  const hasOlder = signal(false);
  const reads = signal(0);
  let limit = step ?? Infinity;
  let items = new Map<Item['id'], Item>();
  let asked = 0;
  /** The news since the pending read began; null while none is pending. */
  let since: LiveNews[] | null = null;
  let drawing: ReturnType<typeof setTimeout> | undefined;

  const loader = createLoader(async () => {
    const mine = (asked += 1);
    since = [];
    try {
      const page = await read(client, Math.min(limit, MOST));
      if (mine !== asked) return;
      items = new Map(page.items.map((item) => [item.id, item]));
      hasOlder.value = page.next !== null;
      for (const news of since) apply(news);
      show();
      reads.value += 1;
    } finally {
      since = null;
    }
  }, attention);

  function show(): void {
    clearTimeout(drawing);
    drawing = undefined;
    data.value = [...items.values()];
  }

  function apply(news: LiveNews): void {
    const item = toItem<Item>(news);
    if (item === null || !matches(item)) {
      items.delete(Object(news.data).id as Item['id']);
    } else if (items.has(item.id)) {
      items.set(item.id, item);
    } else {
      const place = placeOf(item);
      if (place === 'unclear') loader.askSoon();
      if (place !== 'end') return;
      items.set(item.id, item);
      const [oldest] = items.keys();
      if (items.size <= limit || oldest === undefined) return;
      items.delete(oldest);
      hasOlder.value = true;
    }
  }

  /** Where an unknown item belongs: most are new, and some are older than all that is kept. */
  function placeOf({ createdAt }: Item): 'end' | 'beyond' | 'unclear' {
    const [oldest] = items.values();
    const isPartial = step !== undefined && (hasOlder.peek() || items.size >= limit);
    if (!isPartial || !oldest?.createdAt || !createdAt) return 'end';
    if (createdAt < oldest.createdAt) return 'beyond';
    const newest = [...items.values()].at(-1);
    const isNew = createdAt > oldest.createdAt && createdAt >= (newest?.createdAt ?? '');
    return isNew ? 'end' : 'unclear';
  }

  return {
    data,
    trouble: loader.trouble,
    hasOlder,
    reads,
    take(news) {
      since?.push(news);
      if (data.peek() === null) return;
      apply(news);
      drawing ??= setTimeout(show, DRAW_MS);
    },
    flush() {
      if (drawing !== undefined) show();
    },
    reload() {
      asked += 1;
      loader.askSoon(0);
    },
    loadOlder() {
      limit = Math.min(MOST, limit + (step ?? 0));
      return loader.ask();
    },
    stop() {
      clearTimeout(drawing);
      loader.stop();
    },
  };
}
