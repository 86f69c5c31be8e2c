/// <reference types="vite/client" />
import type { MockService } from 'ofage-mock';
import {
  type ControlCall,
  type ControlClient,
  ControlError,
  createControlClient,
} from 'ofage-mock/client';
import { CHANGE_MS, NoAnswerError, READ_MS, inTime } from './in-time.ts';
import { type Live, createLive } from './live.ts';
import { findSlots } from './live-stream.ts';

/** The service as the playground's pages see it. It runs on a server or in the page itself. */
export interface Provider {
  /**
   * Sends a request to a path of the service's origin, for example `/api/v1/sessions/create`. Reads the
   * whole response.
   */
  fetch(path: string, init?: RequestInit): Promise<Response>;
  /** The control API. Each request has a timeout. The errors have messages for the user. */
  readonly client: ControlClient;
  /** The page's queries. A change of the client resolves once every open query shows its effect. */
  readonly live: Live;
}

/** @param service The service in this page. If absent, requests go to the server that served the page. */
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
      return call.isChange ? live.change(run) : run();
    },
  });
  const live = createLive({
    openStream: (signal) => client.stream({ signal }),
    readClock: () => client.clock.read(),
    slots: service ? null : findSlots(),
    page: globalThis.document ?? null,
  });

  return {
    fetch: (path, init = {}) =>
      inTime('The service', CHANGE_MS, async (signal) => {
        const response = await send(path, { signal, ...init });
        // Read the body here, within the timeout. A response without a body must stay without one.
        return new Response(response.body && (await response.arrayBuffer()), response);
      }),
    client,
    live,
  };
}

/**
 * The timeout of slow calls. Moving the clock waits for all webhooks that become due, and a snapshot can be
 * large.
 */
const SLOW_MS = 300_000;

function timeoutOf({ name, isChange }: ControlCall): number {
  if (/snapshot/i.test(name) || (isChange && name.startsWith('clock.'))) return SLOW_MS;
  return isChange ? CHANGE_MS : READ_MS;
}

/** Opens the service of this build of the playground. */
export async function openProvider(): Promise<Provider> {
  // The condition is written out instead of IS_STATIC, so that the bundler removes the whole service from a
  // build for the server.
  if (import.meta.env.MODE === 'static') {
    const { openStaticService } = await import('./static-service.ts');
    return createProvider(await openStaticService());
  }
  return createProvider();
}
