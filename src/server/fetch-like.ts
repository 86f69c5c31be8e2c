import { OfAgeError } from './errors.ts';

/** The part of `fetch` that the kit uses, so that any implementation of it fits. */
export type FetchLike = (url: string, init: FetchInit) => Promise<FetchResponse>;

/** The request that the kit passes to {@link FetchLike}. */
export interface FetchInit {
  method: 'POST';
  headers: Record<string, string>;
  body: string;
  redirect: 'manual';
  signal: AbortSignal;
  /** Keeps the request out of the cache of Next.js. Other implementations ignore it. */
  next: { revalidate: 0 };
}

/** The part of a response that the kit reads. */
export interface FetchResponse {
  readonly status: number;
  readonly headers: { get(name: string): string | null };
  /** A `ReadableStream`, if there is one. The kit reads it up to a limit, in place of calling `text`. */
  readonly body?: unknown;
  /** Reads the body as text. The kit calls it once, also for an error response. */
  text(): Promise<string>;
}

/**
 * Returns a function that looks up `fetch` at each call, not at import, so that it uses a replacement that
 * a tool installs later.
 */
export function platformFetch(action: string): FetchLike {
  if (typeof globalThis.fetch !== 'function') {
    throw new OfAgeError(
      'unsupported_environment',
      `${action}: this runtime has no fetch; pass one as createClient({ fetch })`,
    );
  }
  return (url, init) => globalThis.fetch(url, init);
}
