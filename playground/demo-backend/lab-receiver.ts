import { Hono } from 'hono';
import { WEBHOOK_SIGNATURE_HEADER, isOfAgeError, verifyWebhook } from 'ofage/server';
import type { Table } from '../reference-backend/store.ts';
import {
  type Behaviour,
  type Fresh,
  type KeptWebhook,
  NEW_RECEIVER,
  type Plan,
  type ReceiverState,
  keepRequest,
  parseSettings,
  planAnswer,
} from './lab-plan.ts';

export interface LabReceiverOptions {
  readonly store: Table<ReceiverState>;
  /** The address of the receiver, as the service reaches it. */
  readonly url: string;
  /** Ends the connection without a response. Each host of the backend does this in a different way. */
  readonly breakConnection: (env: unknown) => Response;
}

const ROW = 'receiver';
/** The number of bytes that are stored of a body. Anyone can send requests to the receiver. */
const KEPT_BYTES = 65_536;
/** The number of characters that are stored of an id. */
const KEPT_CHARACTERS = 256;

/** Creates a webhook receiver that misbehaves as configured, and stores the last requests byte for byte. */
export function createLabReceiver({ store, url, breakConnection }: LabReceiverOptions): Hono {
  const read = async (): Promise<ReceiverState> => (await store.get(ROW)) ?? NEW_RECEIVER;

  return new Hono()
    .get('/state', async (c) => c.json({ url, ...(await read()) }))
    .put('/settings', async (c) => {
      const settings = parseSettings(await c.req.json().catch(() => null));
      if (!settings) return c.json({ message: 'The settings of the receiver are not valid' }, 400);
      await store.update(ROW, (state = NEW_RECEIVER) => ({ ...state, settings }));
      return c.json({ url, ...(await read()) });
    })
    .delete('/requests', async (c) => {
      await store.update(ROW, ({ settings } = NEW_RECEIVER) => ({ ...NEW_RECEIVER, settings }));
      return c.body(null, 204);
    })
    .post('/moved', (c) => c.body(null, 200))
    .post('/', async (c) => {
      const fresh = await toFresh(c.req.raw, (await read()).settings.secret);
      let plan: Plan = { work: 'none', answer: '', how: 'ok' };
      let { seconds } = NEW_RECEIVER.settings;
      // Chooses the response and stores the request in one update. Otherwise two simultaneous copies of an
      // event would both be processed.
      await store.update(ROW, (state = NEW_RECEIVER) => {
        ({ seconds } = state.settings);
        plan = planAnswer(state, fresh);
        return keepRequest(state, fresh, plan);
      });
      return giveAnswer(plan.how, seconds, c.req.raw.signal, () => breakConnection(c.env));
    });
}

/** Converts a webhook of the shop to the form in which the receiver stores its requests. */
export async function toKeptWebhook(request: Request): Promise<Omit<KeptWebhook, 'n'>> {
  const { isTest: _isTest, ...fresh } = await toFresh(request, null);
  return { ...fresh, work: 'none', answer: '' };
}

async function toFresh(request: Request, secret: string | null): Promise<Fresh> {
  const bytes = new Uint8Array(await request.arrayBuffer());
  const { event, eventId, data, test } = toFields(new TextDecoder().decode(bytes));
  const { sessionId } = Object(data) as { sessionId?: unknown };
  return {
    receivedAt: new Date().toISOString(),
    headers: [...request.headers],
    bodyBase64: toBase64(bytes.subarray(0, KEPT_BYTES)),
    event: toShortText(event),
    eventId: toShortText(eventId),
    sessionId: toShortText(sessionId),
    isTest: test === true,
    signature: secret === null ? 'unchecked' : await check(request.headers, bytes, secret),
  };
}

async function check(
  headers: Headers,
  bytes: Uint8Array,
  secret: string,
): Promise<'valid' | 'invalid'> {
  try {
    await verifyWebhook(bytes, headers.get(WEBHOOK_SIGNATURE_HEADER), secret);
    return 'valid';
  } catch (error) {
    // Other errors, such as an unknown kind of event, occur only after the signature was verified.
    return isOfAgeError(error) && error.code.startsWith('signature') ? 'invalid' : 'valid';
  }
}

function toFields(json: string): Record<string, unknown> {
  try {
    return toRecord(JSON.parse(json));
  } catch {
    return {};
  }
}

const toRecord = (value: unknown): Record<string, unknown> => ({ ...Object(value) });

const toShortText = (value: unknown): string | null =>
  typeof value === 'string' ? value.slice(0, KEPT_CHARACTERS) : null;

function toBase64(bytes: Uint8Array): string {
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
}

/** The duration of a pending response, which is longer than the service's timeout for a webhook. */
const HOLD_MS = 30_000;
const CHUNK_MS = 100;

/**
 * Responds with the chosen behaviour. `signal` aborts when the client disconnects, which ends a pending
 * response.
 */
async function giveAnswer(
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
