import type { DestinationPolicy } from './destination.ts';
import { follow, HopError } from './follow.ts';
import type { HopResponse } from './follow.ts';
import type { Sender } from './sender.ts';

export interface FetchSenderOptions extends Pick<DestinationPolicy, 'allowLoopback'> {
  /** @default the global fetch, looked up at each call, so that whoever patches it is asked */
  fetch?: typeof fetch;
}

/**
 * Sends webhooks through `fetch`, for hosts where the receiver is itself intercepted: MSW in tests and in
 * the page. Names are not resolved here, so this sender is not a guard against rebinding; a server uses
 * createNodeSender.
 */
export function createFetchSender(options: FetchSenderOptions = {}): Sender {
  return {
    send: (request) =>
      follow(
        request,
        { allowLoopback: options.allowLoopback ?? false },
        async ({ url }, { body, headers }, signal) => {
          const send = options.fetch ?? fetch;
          const init = { method: 'POST', headers, body, signal, redirect: 'manual' } as const;
          const response = await send(url, init).catch((cause: unknown) => {
            throw new HopError('connect', { cause });
          });
          return toHopResponse(response);
        },
      ),
  };
}

function toHopResponse(response: Response): HopResponse {
  // The head decides; a body that never ends must not hold the connection.
  void response.body?.cancel().catch(() => {});
  // A browser hides where a redirect leads, so it cannot be judged, and is not followed.
  if (response.type === 'opaqueredirect') throw new HopError('bad_redirect');
  return {
    status: response.status,
    location: response.headers.get('location'),
    retryAfter: response.headers.get('retry-after'),
  };
}
