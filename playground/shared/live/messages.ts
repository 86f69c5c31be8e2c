import type { LiveTopic } from 'ofage/mock/client';

export type { LiveTopic };

/** A message of the live stream: a resource after a change. */
export interface LiveMessage {
  /**
   * The kind of the resource. `reload` means that more has changed than messages can describe, so
   * everything must be read again.
   */
  readonly topic: LiveTopic;
  /** The resource. For a deleted one, its id and `deleted: true`. Null for `reload`. */
  readonly data: unknown;
}

export const RELOAD: LiveMessage = { topic: 'reload', data: null };

/** Tells whether a message's data says that the resource was deleted. */
export function isDeleted(
  data: unknown,
): data is { readonly id: string | number; readonly deleted: true } {
  return Object(data).deleted === true;
}

/** Returns the resource of a message, or null if it was deleted. */
export function toItem<Item>({ data }: LiveMessage): Item | null {
  // The pages and the service always have the same version, so the data is not validated.
  return isDeleted(data) ? null : (data as Item);
}

/** Returns a key that identifies the resource of a message. */
export function toKey({ topic, data }: LiveMessage): string {
  return `${topic} ${String(Object(data).id)}`;
}
