import type { ControlClient } from 'ofage/mock/client';
import type { LiveTopic } from './news.ts';

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

export type ListItem = { readonly id: string | number; readonly createdAt?: string };
