import type { ServerResponse } from 'node:http';

const WINDOW_MS = 60_000;

/** A limit of an account and the current window. The first request starts a window. */
export type RateLimit = ReturnType<typeof createRateLimit>;
export function createRateLimit(most: number) {
  return { most, used: 0, startedAtMs: 0 };
}

/** Counts a request. Returns false if the window was already full. */
export function countRequest(limit: RateLimit, nowMs: number): boolean {
  if (nowMs >= limit.startedAtMs + WINDOW_MS) Object.assign(limit, { used: 0, startedAtMs: nowMs });
  limit.used += 1;
  return limit.used <= limit.most;
}

export function setLimitHeaders(
  response: ServerResponse,
  { most, used, startedAtMs }: RateLimit,
  nowMs: number,
): void {
  response.setHeader('X-RateLimit-Limit', most);
  response.setHeader('X-RateLimit-Window', WINDOW_MS / 1000);
  response.setHeader('X-RateLimit-Remaining', Math.max(most - used, 0));
  if (used <= most) return;
  const msLeft = startedAtMs + WINDOW_MS - nowMs;
  response.setHeader('X-RateLimit-Retry-After', Math.ceil(msLeft / 1000));
}
