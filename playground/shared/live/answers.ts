import { type LiveNews, type LiveTopic } from './news.ts';

/** The changes whose answer is the resource as it is now. A deletion has no answer, and an id in its path. */
const CHANGES: readonly (readonly [path: RegExp, topic: LiveTopic])[] = [
  [/^\/tenants(\/[^/]+)?$/, 'tenant'],
  [/^\/keys\/[^/]+$/, 'key'],
  [/^\/tenants\/[^/]+\/webhook-endpoints$/, 'endpoint'],
  [/^\/tenants\/[^/]+\/legacy-webhook\/migrate$/, 'endpoint'],
  [/^\/webhook-endpoints\/[^/]+$/, 'endpoint'],
  [/^\/sessions\/[^/]+\/outcome$/, 'session'],
  [/^\/faults(\/[^/]+)?$/, 'fault'],
  [/^\/clock\/[^/]+$/, 'clock'],
];

const KEY_PAIRS = /^\/tenants\/[^/]+\/key-pairs$/;

/**
 * Returns what the answer to a change of the state says, as the stream will say it a moment later.
 * @param path Below `/control/v1`, for example `/faults/f1`.
 */
export function toNews(method: string, path: string, answer: unknown): LiveNews[] {
  if (KEY_PAIRS.test(path)) {
    const { publishable, secret }: Record<string, unknown> = Object(answer);
    return [publishable, secret].map((data) => ({ topic: 'key', data }));
  }
  const topic = CHANGES.find(([pattern]) => pattern.test(path))?.[1];
  if (topic === undefined) return [];
  if (answer !== null) return [{ topic, data: answer }];
  const [, , id] = path.split('/');
  return method === 'DELETE' && id !== undefined
    ? [{ topic, data: { id: decodeURIComponent(id), deleted: true } }]
    : [];
}
