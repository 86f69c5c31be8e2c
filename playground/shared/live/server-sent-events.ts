export interface ServerSentEvent {
  readonly id: string | null;
  readonly event: string;
  /** The message's data. Null for a block that only has an id, which marks the position in the stream. */
  readonly data: string | null;
}

/**
 * Reads a stream of server-sent events. Skips comments, and blocks that have neither data nor an id.
 * @param onBytes Called for every chunk that arrives, including comments.
 * @see https://html.spec.whatwg.org/#event-stream-interpretation
 */
export async function* readEvents(
  body: ReadableStream<Uint8Array>,
  signal?: AbortSignal,
  onBytes: () => void = () => {},
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
      onBytes();
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

function parseEvent(block: string): ServerSentEvent | null {
  const fields = new Map<string, string[]>();
  for (const line of block.split('\n')) {
    const [, name = '', value = ''] = /^([^:]*):? ?(.*)$/.exec(line) ?? [];
    if (name !== '') fields.set(name, [...(fields.get(name) ?? []), value]);
  }
  const id = fields.get('id')?.at(-1) ?? null;
  const data = fields.get('data');
  if (id === null && !data) return null;
  return {
    id,
    event: fields.get('event')?.at(-1) ?? 'message',
    data: data ? data.join('\n') : null,
  };
}
