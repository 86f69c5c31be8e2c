import type { MockService, RequestResource } from 'ofage/mock';
import { createControlClient } from 'ofage/mock/client';
import { readEvents } from './live/server-sent-events.ts';
import { createLocalRing } from './local-ring.ts';

/**
 * In the static playground each tab answers its own requests and keeps its own list of them, which goes
 * with the tab. So each tab also puts them where the inspector finds them.
 */
const KEPT = 100;
const ring = createLocalRing('ofage-playground:request:', KEPT, parseRequest);

/** Passes on what this tab's service is asked, for as long as the page lives. */
export async function relayRequests(
  service: Pick<MockService, 'fetch' | 'apiOrigin'>,
): Promise<void> {
  const client = createControlClient({
    baseUrl: service.apiOrigin,
    fetch: (url, init) => service.fetch(new Request(url, init)),
  });
  const { body } = await client.stream({ topics: ['request'] });
  if (!body) return;
  for await (const { event, data } of readEvents(body)) {
    if (event !== 'request' || data === null) continue;
    const request = JSON.parse(data) as RequestResource;
    ring.add(`${request.realAt}:${crypto.randomUUID()}`, request);
  }
}

/** Oldest first. */
export function readRelayedRequests(): readonly RequestResource[] {
  return ring.read();
}

/** @returns how to stop */
export function onRelayedRequest(hear: (request: RequestResource) => void): () => void {
  return ring.onAdd(hear);
}

export function clearRelayedRequests(): void {
  ring.clear();
}

/** Written by another tab of the same version, so its shape is known; whether it is one at all is not. */
function parseRequest(value: unknown): RequestResource | null {
  const { id, at, realAt }: Record<string, unknown> = Object(value);
  const isRequest = typeof id === 'number' && typeof at === 'string' && typeof realAt === 'string';
  return isRequest ? (value as RequestResource) : null;
}
