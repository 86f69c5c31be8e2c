import type { ControlClient } from 'ofage/mock/client';
import type { LiveTopic } from './messages.ts';

export interface Page<Item> {
  /** The items, oldest first. */
  readonly items: readonly Item[];
  /** The cursor of the next page. Null if the service has no older items. */
  readonly next: unknown;
}

export interface ListSource<Item> {
  /** Identifies the list. Two sources with the same key are the same list. */
  readonly key: string;
  readonly topic: LiveTopic;
  matches(item: Item): boolean;
  /** Reads the newest `limit` items, or all items of a list without pages. */
  read(client: ControlClient, limit: number): Promise<Page<Item>>;
  /**
   * The number of items kept at first, and the number that each `loadOlder` adds. Absent for a list without
   * pages.
   */
  readonly limit?: number | undefined;
}

export type ListItem = { readonly id: string | number; readonly createdAt?: string };
