import type { DestinationPolicy } from './destination.ts';
import { follow, HopError } from './follow.ts';
import type { HopResponse } from './follow.ts';
import type { Sender } from './sender.ts';

export interface FetchSenderOptions extends Pick<DestinationPolicy, 'allowLoopback'> {
  /** @default the global fetch, read at each call, so that patches such as MSW's apply */
  fetch?: typeof fetch;
}

/**
 * Creates a sender that uses `fetch`, for tests and pages in which requests are intercepted, for example by
 * MSW. It does not resolve names, so it does not protect against DNS rebinding. A server uses
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
          const response = await send(url, {
            method: 'POST',
            headers,
            // The public type of the body has no type argument, because TypeScript before 5.7 does not know
            // it.
            body: body as Uint8Array<ArrayBuffer>,
            signal,
            redirect: 'manual',
          }).catch((cause: unknown) => {
            throw new HopError('connect', { cause });
          });
          return toHopResponse(response);
        },
      ),
  };
}

function toHopResponse(response: Response): HopResponse {
  // Cancels the body, because the outcome depends only on the status and the headers, and an endless body
  // would keep the connection open.
  void response.body?.cancel().catch(() => {});
  // A browser hides the target of a redirect, so it cannot be checked and is not followed.
  if (response.type === 'opaqueredirect') throw new HopError('bad_redirect');
  return {
    status: response.status,
    location: response.headers.get('location'),
    retryAfter: response.headers.get('retry-after'),
  };
}
