import type { Behaviour } from './plan.ts';

/** The duration of a pending response, which is longer than the service's timeout for a webhook. */
const HOLD_MS = 30_000;
const CHUNK_MS = 100;

/**
 * Responds with the chosen behaviour. `signal` aborts when the client disconnects, which ends a pending
 * response.
 */
export async function giveAnswer(
  how: Behaviour,
  seconds: number,
  signal: AbortSignal,
  breakConnection: () => Response,
): Promise<Response> {
  switch (how) {
    case 'ok':
    case 'lost_answer':
      return new Response(null, { status: 200 });
    case 'server_error':
      return new Response('The lab is set to fail\n', { status: 500 });
    case 'unauthorized':
      return new Response('The lab is set to refuse\n', { status: 401 });
    case 'gone':
      return new Response(null, { status: 410 });
    case 'too_many':
      return new Response(null, { status: 429, headers: { 'retry-after': String(seconds) } });
    case 'reorder':
      return new Response(null, { status: 503 });
    case 'redirect':
      return new Response(null, {
        status: 307,
        headers: { location: '/shop/lab/receiver/moved' },
      });
    case 'slow':
      await wait(seconds * 1_000, signal);
      return new Response(null, { status: 200 });
    case 'hang':
      await wait(HOLD_MS, signal);
      return new Response(null, { status: 503 });
    case 'reset':
      return breakConnection();
    case 'endless':
      return new Response(toEndless(signal), { headers: { 'content-type': 'text/plain' } });
  }
}

/** Streams a dot every tenth of a second until the client disconnects, for at most 30 seconds. */
function toEndless(signal: AbortSignal): ReadableStream<Uint8Array> {
  const untilMs = Date.now() + HOLD_MS;
  return new ReadableStream({
    async pull(controller) {
      controller.enqueue(new TextEncoder().encode('.'));
      await wait(CHUNK_MS, signal);
      if (signal.aborted || Date.now() > untilMs) controller.close();
    },
  });
}

function wait(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
