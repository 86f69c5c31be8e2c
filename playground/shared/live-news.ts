/** What the control surface's live stream tells: a resource as it is now. */
export interface LiveNews {
  readonly topic:
    | 'tenant'
    | 'key'
    | 'session'
    | 'endpoint'
    | 'event'
    | 'delivery'
    | 'fault'
    | 'clock'
    | 'request'
    | 'reload';
  /** The resource; of what was deleted, its id and `deleted: true`; `null` for `reload`. */
  readonly data: unknown;
}

const RETRY_MS = 1_000;

/**
 * Reads server-sent events, and opens the stream again whenever it ends. By fetch and not by
 * EventSource: that one knows nothing of a service in the page itself.
 */
export async function readLiveNews(
  open: (init: RequestInit) => Promise<Response>,
  hear: (news: LiveNews) => void,
  signal: AbortSignal,
): Promise<void> {
  let lastId: string | null = null;
  while (!signal.aborted) {
    try {
      const response = await open({
        headers: lastId === null ? {} : { 'last-event-id': lastId },
        signal,
      });
      // Whatever happened before the stream was open is not in it, the first time as well: a page that
      // looked before may have missed something.
      if (response.ok && lastId === null) hear({ topic: 'reload', data: null });
      if (response.ok && response.body) {
        for await (const { id, event, data } of readEvents(response.body, signal)) {
          lastId = id ?? lastId;
          hear({ topic: event as LiveNews['topic'], data: JSON.parse(data) });
        }
      }
    } catch (error) {
      if (signal.aborted) return;
      console.debug('The live stream broke off', error);
    }
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
  }
}

export interface ServerSentEvent {
  readonly id: string | null;
  readonly event: string;
  readonly data: string;
}

/** Takes a stream of server-sent events apart. @see https://html.spec.whatwg.org/#event-stream-interpretation */
export async function* readEvents(
  body: ReadableStream<Uint8Array>,
  signal?: AbortSignal,
): AsyncGenerator<ServerSentEvent> {
  const reader = body.getReader();
  const stop = (): void => void reader.cancel().catch(() => undefined);
  signal?.addEventListener('abort', stop);
  const decoder = new TextDecoder();
  let text = '';
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      text += decoder.decode(value, { stream: true });
      for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
        const event = parseEvent(text.slice(0, end));
        text = text.slice(end + 2);
        if (event) yield event;
      }
    }
  } finally {
    signal?.removeEventListener('abort', stop);
    stop();
  }
}

/** A block of lines; `null` for comments and for blocks without data. */
function parseEvent(block: string): ServerSentEvent | null {
  const fields = new Map<string, string[]>();
  for (const line of block.split('\n')) {
    const [, name = '', value = ''] = /^([^:]*):? ?(.*)$/.exec(line) ?? [];
    if (name !== '') fields.set(name, [...(fields.get(name) ?? []), value]);
  }
  const data = fields.get('data');
  if (!data) return null;
  return {
    id: fields.get('id')?.at(-1) ?? null,
    event: fields.get('event')?.at(-1) ?? 'message',
    data: data.join('\n'),
  };
}
