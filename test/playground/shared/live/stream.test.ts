import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { LiveMessage } from '../../../../playground/shared/live/messages.ts';
import { type OpenStream, readLiveStream } from '../../../../playground/shared/live/stream.ts';
import { aBody } from './a-body.ts';

beforeEach(() => {
  vi.useFakeTimers();
  vi.spyOn(console, 'debug').mockImplementation(() => undefined);
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** Reads the stream like a page and records what it receives. */
function follow(open: OpenStream) {
  const stop = new AbortController();
  const opened: string[] = [];
  const news: LiveMessage[] = [];
  const connections: boolean[] = [];
  let lastId: string | null = null;
  const done = readLiveStream(
    open,
    {
      lastId: () => lastId,
      onOpen(id) {
        lastId = id;
        opened.push(id);
      },
      onMessage(id, one) {
        lastId = id;
        news.push(one);
      },
      onConnection: (isUp) => connections.push(isUp),
    },
    stop.signal,
  );
  return { stop, done, opened, news, connections };
}

describe('the live stream of a page', () => {
  it('reopens after each end and resumes after the last message', async () => {
    const asked: (string | null)[] = [];
    const bodies = [
      ['retry: 1000\nid: a-0\n\n'],
      ['id: a-1\nevent: event\ndata: 1\n\n'],
      ['id: a-2\nevent: delivery\ndata: 2\n\n'],
    ];
    const page = follow(async (lastId) => {
      asked.push(lastId);
      const body = bodies.shift();
      if (body) return new Response(aBody(body));
      page.stop.abort();
      throw new Error('The connection was refused');
    });
    await vi.runAllTimersAsync();
    await page.done;
    expect(asked).toEqual([null, 'a-0', 'a-1', 'a-2']);
    expect(page.opened).toEqual(['a-0']);
    expect(page.news).toEqual([
      { topic: 'event', data: 1 },
      { topic: 'delivery', data: 2 },
    ]);
  });

  it.each([
    {
      why: 'the service is unreachable',
      open: () => Promise.reject(new TypeError('fetch failed')),
      withinMs: 0,
    },
    {
      why: 'the service returns an error',
      open: async () => new Response('down', { status: 503 }),
      withinMs: 0,
    },
    {
      why: 'the request hangs',
      open: () => new Promise<Response>(() => {}),
      withinMs: 5_000,
    },
    {
      why: 'the service stops sending',
      open: async () => new Response(aBody([': still here\n\n'], 'stays open')),
      withinMs: 5_000,
    },
  ])('reports a lost connection when $why, and reconnects', async ({ open, withinMs }) => {
    let isDown = true;
    const page = follow(async () =>
      isDown ? open() : new Response(aBody(['id: b\nevent: clock\ndata: {}\n\n'], 'stays open')),
    );
    await vi.advanceTimersByTimeAsync(withinMs);
    expect(page.connections.at(-1)).toBe(false);
    isDown = false;
    await vi.advanceTimersByTimeAsync(1_000);
    expect(page.connections.at(-1)).toBe(true);
    expect(page.news).toEqual([{ topic: 'clock', data: {} }]);
    page.stop.abort();
    await vi.runAllTimersAsync();
    await page.done;
  });

  it('stays connected while the service sends comments', async () => {
    let beat = (): void => {};
    const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
      start(controller) {
        beat = () => controller.enqueue(new TextEncoder().encode(': still here\n\n'));
      },
    });
    const page = follow(async () => new Response(body));
    for (let n = 0; n < 10; n += 1) {
      await vi.advanceTimersByTimeAsync(2_000);
      beat();
    }
    expect(page.connections).toEqual([true]);
    page.stop.abort();
    await vi.runAllTimersAsync();
    await page.done;
  });

  it('reconnects after data that is not JSON', async () => {
    const answers = [
      aBody(['id: a\ndata: no JSON\n\n']),
      aBody(['id: b\nevent: clock\ndata: {}\n\n']),
    ];
    const page = follow(async () => {
      const body = answers.shift();
      if (body) return new Response(body);
      page.stop.abort();
      throw new Error('gone');
    });
    await vi.runAllTimersAsync();
    await page.done;
    expect(page.news.map(({ topic }) => topic)).toEqual(['clock']);
  });
});
