/// <reference types="vite/client" />
import type { MockService } from 'ofage/mock';
import {
  type ControlCall,
  type ControlClient,
  ControlError,
  createControlClient,
} from 'ofage/mock/client';
import { CHANGE_MS, NoAnswerError, READ_MS, inTime } from './in-time.ts';
import { type Live, createLive } from './live.ts';
import { createAttention } from './live/attention.ts';
import { findSharedParts } from './live/feed.ts';

/** The provider, as the playground's pages reach it: a server, or the service in the page itself. */
export interface Provider {
  /**
   * Sends any request below the provider's origin, for example `/api/v1/sessions/create`, and reads its
   * answer whole.
   */
  fetch(path: string, init?: RequestInit): Promise<Response>;
  /** The control API. Each request has a time limit, and rejects with a sentence that can be shown. */
  readonly client: ControlClient;
  /** This page's copy of the state. The answer to each change is shown at once. */
  readonly live: Live;
}

/** @param service the one in this page; without it, the server that served the page is asked */
export function createProvider(service?: Pick<MockService, 'fetch' | 'apiOrigin'>): Provider {
  const origin = service?.apiOrigin ?? location.origin;
  const send = (path: string, init?: RequestInit): Promise<Response> =>
    service ? service.fetch(new Request(origin + path, init)) : fetch(origin + path, init);

  const client = createControlClient({
    baseUrl: origin,
    fetch: (url, init) => send(url.slice(origin.length), { cache: 'no-store', ...init }),
    around(call, sendCall) {
      const run = (): Promise<unknown> =>
        inTime('The service', timeoutOf(call), sendCall).catch((cause: unknown) => {
          if (!(cause instanceof NoAnswerError)) throw cause;
          throw new ControlError('unreachable', null, [cause.message], { cause });
        });
      return call.isChange ? live.change(call, run) : run();
    },
  });
  const live = createLive({
    client,
    attention: createAttention(),
    feed: {
      open: (lastEventId, signal) => client.stream({ lastEventId, signal }),
      shared: service ? null : findSharedParts('ofage-live'),
    },
  });

  return {
    fetch: (path, init = {}) =>
      inTime('The service', CHANGE_MS, async (signal) => {
        const response = await send(path, { signal, ...init });
        // Read here, within the time limit. An answer without a body must stay without one.
        return new Response(response.body && (await response.arrayBuffer()), response);
      }),
    client,
    live,
  };
}

/** A move of the clock waits for the webhooks on its way, and a snapshot or a replay can be large. */
const SLOW_MS = 300_000;

function timeoutOf({ name, isChange }: ControlCall): number {
  if (/snapshot|replay/i.test(name) || (isChange && name.startsWith('clock.'))) return SLOW_MS;
  return isChange ? CHANGE_MS : READ_MS;
}

/** Opens the provider that this build of the playground has. */
export async function openProvider(): Promise<Provider> {
  // Spelled out and not IS_STATIC, so that a build for the server leaves the whole service out.
  if (import.meta.env.MODE === 'static') {
    const { startStaticMode } = await import('./static-mode.ts');
    return createProvider(await startStaticMode());
  }
  return createProvider();
}
