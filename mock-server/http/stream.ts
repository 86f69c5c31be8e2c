import type { Context } from 'hono';
import type { Live, LiveMessage } from '../control/live.ts';
import type { RealClock } from '../core/clock.ts';
import { corsHeaders } from './respond.ts';

/** How often an idle stream shows that it lives. Milliseconds of real time; proxies give up after 30 s or more. */
const HEARTBEAT_MS = 15_000;
/** A listener that is this many messages behind is sent away, and comes back with `Last-Event-ID`. */
const MAX_BEHIND = 1_000;

/** Answers with server-sent events: what changes from now on, or since the message that was seen last. */
export function respondStream(c: Context, live: Live, clock: RealClock): Response {
  const topics = c.req.query('topics')?.split(',');
  const sinceId = c.req.header('last-event-id') ?? c.req.query('since') ?? null;
  const encoder = new TextEncoder();
  let stop = (): void => {};

  const stream = new ReadableStream<Uint8Array>(
    {
      start(controller) {
        let isOver = false;
        const disposers = new Set<() => void>();
        stop = () => {
          isOver = true;
          for (const dispose of disposers) dispose();
        };
        const end = (): void => {
          if (isOver) return;
          stop();
          controller.close();
        };
        const send = (text: string): void => {
          if (isOver) return;
          if ((controller.desiredSize ?? 0) < -MAX_BEHIND) end();
          else controller.enqueue(encoder.encode(text));
        };
        const beat = (): void => {
          disposers.delete(cancelBeat);
          cancelBeat = clock.wakeAt(clock.now() + HEARTBEAT_MS, () => {
            send(': still here\n\n');
            if (!isOver) beat();
          });
          disposers.add(cancelBeat);
        };
        let cancelBeat = (): void => {};

        // The first bytes tell that the stream is open, and how soon to come back after it breaks.
        send('retry: 1000\n\n');
        beat();
        const message = (news: LiveMessage): void => {
          const isWanted = !topics || topics.includes(news.topic) || news.topic === 'reload';
          if (isWanted) send(toEventText(news));
        };
        disposers.add(live.subscribe(sinceId, { message, end }));
      },
      cancel: () => stop(),
    },
    { highWaterMark: 0 },
  );
  return new Response(stream, {
    headers: {
      ...corsHeaders(c),
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    },
  });
}

function toEventText({ id, topic, data }: LiveMessage): string {
  return `id: ${id}\nevent: ${topic}\ndata: ${JSON.stringify(data)}\n\n`;
}
