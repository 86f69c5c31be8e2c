import { ORIGIN } from '../../support/a-mock.ts';

export interface Message {
  id: string;
  event: string;
  data: any;
}

/** Reads server-sent events like a browser. */
export function openStream(response: Response) {
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  const decoder = new TextDecoder();
  let text = '';
  const comments: string[] = [];

  async function block(): Promise<string | null> {
    while (!text.includes('\n\n')) {
      const { done, value } = await reader.read();
      if (done) return null;
      text += decoder.decode(value, { stream: true });
    }
    const end = text.indexOf('\n\n');
    const found = text.slice(0, end);
    text = text.slice(end + 2);
    return found;
  }

  return {
    block,
    comments,
    /** Returns the next `count` messages. */
    async read(count: number): Promise<Message[]> {
      const messages: Message[] = [];
      while (messages.length < count) {
        const found = await block();
        if (found === null) throw new Error(`The stream ended after ${messages.length} messages`);
        const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(found)?.[1] ?? '';
        if (found.startsWith(':')) comments.push(found);
        else if (field('event') !== '') {
          const data = JSON.parse(field('data'));
          messages.push({ id: field('id'), event: field('event'), data });
        }
      }
      return messages;
    },
    close: () => reader.cancel(),
  };
}

export const stream = (query = '', headers: Record<string, string> = {}) =>
  new Request(`${ORIGIN}/control/v1/stream${query}`, { headers });
