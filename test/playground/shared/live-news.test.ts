import * as fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  type LiveNews,
  type ServerSentEvent,
  readEvents,
  readLiveNews,
} from '../../../playground/shared/live-news.ts';

afterEach(() => vi.useRealTimers());

const aBody = (chunks: readonly (string | Uint8Array)[]): ReadableStream<Uint8Array> =>
  new ReadableStream({
    start(controller) {
      for (const chunk of chunks) {
        controller.enqueue(typeof chunk === 'string' ? new TextEncoder().encode(chunk) : chunk);
      }
      controller.close();
    },
  });

const read = async (body: ReadableStream<Uint8Array>): Promise<ServerSentEvent[]> => {
  const events: ServerSentEvent[] = [];
  for await (const event of readEvents(body)) events.push(event);
  return events;
};

describe('server-sent events', () => {
  const stream =
    'retry: 1000\n\n: still here\n\nid: a-1\nevent: session\ndata: {"id":"é"}\n\ndata: one\ndata: two\n\n';
  const expected = [
    { id: 'a-1', event: 'session', data: '{"id":"é"}' },
    { id: null, event: 'message', data: 'one\ntwo' },
  ];

  it('are taken apart wherever the bytes are cut', async () => {
    const bytes = new TextEncoder().encode(stream);
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(bytes.length)), async (cuts) => {
        const places = [0, ...cuts.toSorted((a, b) => a - b), bytes.length];
        const chunks = places.slice(1).map((end, index) => bytes.slice(places[index], end));
        expect(await read(aBody(chunks))).toEqual(expected);
      }),
    );
  });

  it('end with the stream, and leave out an event that was cut off', async () => {
    expect(await read(aBody(['data: whole\n\ndata: half']))).toEqual([
      { id: null, event: 'message', data: 'whole' },
    ]);
  });
});

describe('the live news', () => {
  it('open again after each end from where they were, and say so when that is not known', async () => {
    vi.useFakeTimers();
    const stop = new AbortController();
    const asked: (string | undefined)[] = [];
    const bodies = [
      ['retry: 1000\n\n'],
      ['id: a-1\nevent: event\ndata: 1\n\n'],
      ['id: a-2\nevent: delivery\ndata: 2\n\n'],
    ];
    const heard: LiveNews[] = [];
    const reading = readLiveNews(
      async ({ headers }) => {
        asked.push((headers as Record<string, string>)['last-event-id']);
        const body = bodies.shift();
        if (body) return new Response(aBody(body));
        stop.abort();
        throw new Error('The connection was refused');
      },
      (news) => heard.push(news),
      stop.signal,
    );
    await vi.runAllTimersAsync();
    await reading;
    expect(asked).toEqual([undefined, undefined, 'a-1', 'a-2']);
    expect(heard).toEqual([
      { topic: 'reload', data: null },
      { topic: 'reload', data: null },
      { topic: 'event', data: 1 },
      { topic: 'delivery', data: 2 },
    ]);
  });

  it('come back after a refusal and after what cannot be read', async () => {
    vi.useFakeTimers();
    vi.spyOn(console, 'debug').mockImplementation(() => undefined);
    const stop = new AbortController();
    const answers = [
      new Response('down', { status: 503 }),
      new Response(aBody(['id: a\ndata: no JSON\n\n'])),
      new Response(aBody(['id: b\nevent: clock\ndata: {}\n\n'])),
    ];
    const topics: string[] = [];
    const reading = readLiveNews(
      async () => {
        const answer = answers.shift();
        if (answer) return answer;
        stop.abort();
        throw new Error('gone');
      },
      ({ topic }) => topics.push(topic),
      stop.signal,
    );
    await vi.runAllTimersAsync();
    await reading;
    expect(topics).toEqual(['reload', 'clock']);
  });
});
