import type { Context } from 'hono';
import type { Live, LiveMessage } from '../live.ts';
import type { RealClock } from '../../store/clock.ts';
import { corsHeaders } from './respond.ts';

/**
 * Interval of the stream's heartbeats. Milliseconds of real time. A page treats the connection as lost
 * after five seconds of silence.
 */
const HEARTBEAT_MS = 2_000;
/**
 * The number of messages by which a listener may fall behind before it is disconnected. It then resumes
 * with `Last-Event-ID`.
 */
const MAX_BEHIND = 1_000;

/** Responds with server-sent events: all future changes, and those since the listener's last message. */
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

        // The first bytes open the stream and set the reconnection time. They also set the id to resume
        // from, in case the stream breaks before the first message. A resuming listener already has an id.
        send(sinceId === null ? `retry: 1000\nid: ${live.lastId}\n\n` : 'retry: 1000\n\n');
        beat();
        const message = (update: LiveMessage): void => {
          const isWanted = !topics || topics.includes(update.topic) || update.topic === 'reload';
          if (isWanted) send(toEventText(update));
        };
        disposers.add(live.subscribe(sinceId, { message, end }));
      },
      cancel: () => stop(),
    },
    { highWaterMark: 0 },
  );
  return new Response(stream, {
    headers: {
      ...corsHeaders(c.req.header('origin')),
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    },
  });
}

function toEventText({ id, topic, data }: LiveMessage): string {
  return `id: ${id}\nevent: ${topic}\ndata: ${JSON.stringify(data)}\n\n`;
}
