/// <reference types="vite/client" />
import type { MockService } from 'ofage/mock';
import { type ControlClient, ControlError, createControlClient } from 'ofage/mock/client';
import { CHANGE_MS, NoAnswerError, READ_MS, inTime } from './in-time.ts';
import { type Live, type LiveNews, createLive } from './live.ts';
import { createAttention } from './live/attention.ts';
import { findSharedParts } from './live/feed.ts';

/** The provider, as the playground's pages reach it: a server, or the service in the page itself. */
export interface Provider {
  /** Any request below the provider's origin, for example `/api/v1/sessions/create`. */
  fetch(path: string, init?: RequestInit): Promise<Response>;
  /**
   * Calls `/control/v1` and resolves with the answer's body; with `null` where it has none.
   * @throws ControlError with the service's own sentence
   */
  control<Answer = unknown>(method: string, path: string, body?: object): Promise<Answer>;
  /** The control API. Each request has a time limit, and rejects with a sentence that can be shown. */
  readonly client: ControlClient;
  /** This page's copy of the state. The answer to each change is shown at once. */
  readonly live: Live;
  /** Follows the news of the live stream. @returns how to stop */
  subscribe(hear: (news: LiveNews) => void): () => void;
}

const CONTROL = '/control/v1';

/** @param service the one in this page; without it, the server that served the page is asked */
export function createProvider(service?: Pick<MockService, 'fetch' | 'apiOrigin'>): Provider {
  const origin = service?.apiOrigin ?? location.origin;
  const send = (path: string, init?: RequestInit): Promise<Response> =>
    service ? service.fetch(new Request(origin + path, init)) : fetch(origin + path, init);

  const ask = (path: string, init: RequestInit): Promise<Response> => {
    const { method = 'GET' } = init;
    if (method === 'GET' || !path.startsWith(`${CONTROL}/`)) return send(path, init);
    return live.change(method, path.slice(CONTROL.length), () => send(path, init));
  };

  /** Reads the body within the time limit, too. */
  const askInTime = (path: string, init: RequestInit): Promise<Response> =>
    inTime('The service', timeoutOf(init.method ?? 'GET', path), async (signal) => {
      const response = await ask(path, { cache: 'no-store', ...init, signal });
      return response.status === 204 ? response : new Response(await response.text(), response);
    }).catch((cause: unknown) => {
      if (!(cause instanceof NoAnswerError)) throw cause;
      throw new ControlError('unreachable', null, [cause.message], { cause });
    });

  const client = createControlClient({
    baseUrl: origin,
    fetch: (url, init) => askInTime(url.slice(origin.length), init),
  });

  async function control<Answer>(method: string, path: string, body?: object): Promise<Answer> {
    const json = body && {
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    };
    const response = await askInTime(CONTROL + path, { method, ...json }).catch(
      (cause: unknown) => {
        if (cause instanceof ControlError) throw cause;
        const sentence = 'The provider cannot be reached. Is it running?';
        throw new ControlError('unreachable', null, [sentence], { cause });
      },
    );
    const answer: unknown = response.status === 204 ? null : await response.json();
    if (!response.ok) {
      throw new ControlError('refused', response.status, toSentences(answer, response));
    }
    // The pages and the service are one product of one version, so the answer is taken at its word.
    return answer as Answer;
  }

  const live = createLive({
    client,
    attention: createAttention(),
    feed: {
      open: (lastId, signal) =>
        send(`${CONTROL}/stream`, {
          headers: lastId === null ? {} : { 'last-event-id': lastId },
          signal,
        }),
      shared: service ? null : findSharedParts('ofage-live'),
    },
  });

  return {
    fetch: (path, init = {}) =>
      inTime('The service', CHANGE_MS, (signal) => ask(path, { signal, ...init })),
    client,
    control,
    live,
    subscribe: live.subscribe,
  };
}

/** A move of the clock waits for the webhooks on its way, and a snapshot can be large. */
const SLOW = new RegExp(`^${CONTROL}/(clock/|snapshot)`);
const SLOW_MS = 300_000;

function timeoutOf(method: string, path: string): number {
  if (SLOW.test(path)) return SLOW_MS;
  return method === 'GET' ? READ_MS : CHANGE_MS;
}

function toSentences(answer: unknown, response: Response): string[] {
  const { message }: { message?: unknown } = Object(answer);
  if (Array.isArray(message)) return message.map(String);
  return [typeof message === 'string' ? message : `The provider answered ${response.status}`];
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
