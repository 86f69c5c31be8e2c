export type LiveTopic =
  | 'tenant'
  | 'key'
  | 'session'
  | 'endpoint'
  | 'event'
  | 'delivery'
  | 'fault'
  | 'clock'
  | 'request'
  | 'observation'
  | 'recording'
  | 'reload';

/** A change of the state: a resource as it is now. */
export interface LiveNews {
  /** `reload` says that more has changed than can be told, so that everything must be read again. */
  readonly topic: LiveTopic;
  /** The resource; of a deleted one, its id and `deleted: true`; `null` for `reload`. */
  readonly data: unknown;
}

export const RELOAD: LiveNews = { topic: 'reload', data: null };

/** Whether the news is that a resource was deleted. */
export function isDeleted(
  data: unknown,
): data is { readonly id: string | number; readonly deleted: true } {
  return Object(data).deleted === true;
}

/** Returns the resource as it is now; null when it was deleted. */
export function toItem<Item>({ data }: LiveNews): Item | null {
  // The pages and the service are one product of one version, so the news are taken at their word.
  return isDeleted(data) ? null : (data as Item);
}

/** Identifies the resource that the news are about. */
export function toKey({ topic, data }: LiveNews): string {
  return `${topic} ${String(Object(data).id)}`;
}
