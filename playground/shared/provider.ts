/// <reference types="vite/client" />
import type { MockService } from 'ofage/mock';
import { type LiveNews, readLiveNews } from './live-news.ts';

/** The provider, as the playground's pages reach it: a server, or the service in the page itself. */
export interface Provider {
  /** Any request below the provider's origin, for example `/api/v1/sessions/create`. */
  fetch(path: string, init?: RequestInit): Promise<Response>;
  /**
   * Calls `/control/v1` and resolves with the answer's body; with `null` where it has none.
   * @throws ProviderError with the service's own sentence
   */
  control<Answer = unknown>(method: string, path: string, body?: object): Promise<Answer>;
  /**
   * Hears what changes, until it is told to stop. After a gap there is news of the topic `reload`:
   * look at everything again.
   * @returns how to stop
   */
  subscribe(hear: (news: LiveNews) => void): () => void;
}

/** The provider refused, or cannot be reached. The message can be shown as it is. */
export class ProviderError extends Error {
  override readonly name = 'ProviderError';
  /** HTTP status; 0 when there was no answer. */
  readonly status: number;
  /** Everything that was wrong, one sentence each. */
  readonly sentences: readonly string[];

  constructor(status: number, sentences: readonly string[], options?: ErrorOptions) {
    super(sentences.join(', '), options);
    this.status = status;
    this.sentences = sentences;
  }
}

/** @param service the one in this page; without it, the server that served the page is asked */
export function createProvider(service?: Pick<MockService, 'fetch' | 'apiOrigin'>): Provider {
  const origin = service?.apiOrigin ?? location.origin;
  const ask = (path: string, init?: RequestInit): Promise<Response> =>
    service ? service.fetch(new Request(origin + path, init)) : fetch(origin + path, init);

  // One stream, however many listen: a browser opens six connections to a server, and a stream keeps one.
  const listeners = new Set<{ hear(news: LiveNews): void }>();
  let stream: AbortController | null = null;
  const openStream = (): AbortController => {
    const stop = new AbortController();
    const tell = (news: LiveNews): void => {
      for (const { hear } of listeners) hear(news);
    };
    void readLiveNews((init) => ask('/control/v1/stream', init), tell, stop.signal);
    return stop;
  };

  return {
    fetch: ask,
    async control<Answer>(method: string, path: string, body?: object): Promise<Answer> {
      const response = await ask(`/control/v1${path}`, {
        method,
        cache: 'no-store',
        ...(body && {
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(body),
        }),
      }).catch((cause: unknown) => {
        throw new ProviderError(0, ['The provider cannot be reached. Is it running?'], { cause });
      });
      const answer: unknown = response.status === 204 ? null : await response.json();
      if (!response.ok) throw new ProviderError(response.status, toSentences(answer, response));
      // The pages and the service are one product of one version, so the answer is taken at its word.
      return answer as Answer;
    },
    subscribe(hear) {
      // A listener of its own, also when the same function listens twice.
      const listener = { hear };
      listeners.add(listener);
      stream ??= openStream();
      return () => {
        listeners.delete(listener);
        if (listeners.size > 0) return;
        stream?.abort();
        stream = null;
      };
    },
  };
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
