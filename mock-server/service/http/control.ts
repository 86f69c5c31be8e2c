import * as v from 'valibot';
import type { Context } from 'hono';
import { CONTROL_PATH, namesIn, STREAM_PATH } from '../../api/control.ts';
import type { RealClock } from '../../store/clock.ts';
import { isRefusal, ServiceError } from '../../store/errors.ts';
import type { Live, LiveMessage } from '../live.ts';
import { DEFAULT_LIMIT } from '../operations/lists.ts';
import type { InputSchema } from '../operations/operation.ts';
import { ROUTED_OPERATIONS, type RoutedOperation, type RunOperation } from '../operations/table.ts';
import { filterInteger } from '../schemas/fields.ts';
import { parseInput } from '../schemas/parse-input.ts';
import { count, text } from '../schemas/values.ts';
import type { DescribedOperation, HttpRoute, Method } from './api-operation.ts';
import { readJson } from './read-json.ts';
import { corsHeaders, jsonHeaders, respond, toRefusal, toResponse } from './respond.ts';

/** Maximum number of items of a page. */
const MAX_LIMIT = 1_000;

interface ControlParts {
  readonly run: RunOperation;
  readonly live: Live;
  readonly real: RealClock;
  /** Returns the service's time, and opens the service if needed. */
  nowMs(): Promise<number>;
}

/** Refuses a request that the guard of the control API does not allow. */
export async function refuseControl(c: Context, nowMs: () => Promise<number>): Promise<Response> {
  const error = new ServiceError(
    'forbidden',
    'The control API accepts requests from this computer only',
  );
  const { status, body } = toRefusal(error, c.req.path, await nowMs());
  // Sends no CORS headers, so that pages of other sites cannot detect the mock.
  return toResponse(status, body, jsonHeaders(body));
}

/** Returns the routes of the control API, for the console, command lines and tests. */
export function controlRoutes(parts: ControlParts): HttpRoute[] {
  return [
    ...ROUTED_OPERATIONS.map((operation) => ({
      method: operation.route.method,
      path: CONTROL_PATH + operation.route.path,
      answer: (c: Context) => answerOperation(c, operation, parts),
    })),
    {
      method: 'GET',
      path: CONTROL_PATH + STREAM_PATH,
      async answer(c) {
        // Opens the service now, so that creating its first account is not reported as a change.
        await parts.nowMs();
        return respondStream(c, parts.live, parts.real);
      },
    },
  ];
}

/** The operations of the control API over HTTP. */
export const controlOperations: readonly DescribedOperation[] = [
  ...ROUTED_OPERATIONS.map(describe),
  {
    method: 'get',
    path: CONTROL_PATH + STREAM_PATH,
    summary: 'Stream changes as server-sent events',
    security: 'loopback',
    success: 200,
    response: 'text/event-stream',
    refusals: [],
  },
];

function describe(operation: RoutedOperation): DescribedOperation {
  const {
    route,
    summary,
    idOf,
    uncheckedBody,
    bodyRules,
    example,
    response,
    refusals = [],
  } = operation;
  const input = toWireInput(operation);
  return {
    method: route.method.toLowerCase() as Method,
    path: CONTROL_PATH + route.path,
    summary,
    security: 'loopback',
    ...(idOf && { idOf }),
    ...(input && (route.method === 'GET' ? { query: input } : { body: input })),
    ...(uncheckedBody && { body: uncheckedBody }),
    ...(bodyRules && { bodyRules }),
    ...(example && { example }),
    success: operation.status ?? (response === null ? 204 : 200),
    response: response && toAnswer(response, route.items),
    refusals: [...(idOf ? [404] : []), ...refusals],
  };
}

/** Returns the schema of a response. `next` is the `before` parameter for the page of older items. */
function toAnswer(
  response: v.GenericSchema,
  items: RoutedOperation['route']['items'],
): v.GenericSchema {
  switch (items) {
    case undefined:
      return response;
    case 'all':
      return v.strictObject({ items: response });
    case 'page':
      return v.strictObject({ items: response, next: v.nullable(v.union([text, count])) });
  }
}

async function answerOperation(
  c: Context,
  operation: RoutedOperation,
  { run, nowMs }: Pick<ControlParts, 'run' | 'nowMs'>,
): Promise<Response> {
  const { route, status = 200 } = operation;
  const ids = namesIn(route.path).map((name) => c.req.param(name) ?? '');
  const runWith = (input: unknown): Promise<unknown> => run(operation, ids, input);
  try {
    const input = await readInput(c, operation);
    if (route.items === 'page')
      return respond(c, { status: 200, body: await readPage(operation, input, runWith) });
    const result = await runWith(input);
    if (operation.response === null) return respond(c, { status: 204, body: null });
    return respond(c, { status, body: route.items ? { items: result } : (result as object) });
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return respond(c, toRefusal(error, c.req.path, await nowMs()));
  }
}

/** Returns the unchecked input of an operation, from the query or from the body. */
async function readInput(
  c: Context,
  { route, input, uncheckedBody, maxBodyBytes }: RoutedOperation,
): Promise<unknown> {
  if (route.method === 'GET') return readQuery(input, c.req.query());
  const body = await readJson(c.req.raw, maxBodyBytes);
  return input || uncheckedBody ? body.json() : {};
}

/** Converts a query's text to the types that its schema checks. */
function readQuery(
  schema: InputSchema | undefined,
  query: Readonly<Record<string, string>>,
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(query).map(([name, text]) => {
      const entry =
        schema && Object.hasOwn(schema.entries, name) ? schema.entries[name] : undefined;
      return [name, entry ? toTyped(text, typeOf(entry)) : text];
    }),
  );
}

/** Converts a text to the type. Returns it unchanged if it is not a value of the type. */
function toTyped(text: string, type: string): unknown {
  if (type === 'number' && /^\d{1,15}$/.test(text)) return Number(text);
  if (type === 'boolean' && /^(true|false)$/.test(text)) return text === 'true';
  return text;
}

/** Returns the type that a schema checks, also inside wrappers such as `optional`. */
function typeOf(schema: v.ObjectEntries[string]): string {
  return 'wrapped' in schema ? typeOf(schema.wrapped as v.ObjectEntries[string]) : schema.type;
}

/** Returns the schema for the query or body of an operation over HTTP. */
function toWireInput({ input, route }: RoutedOperation): InputSchema | undefined {
  if (!input || route.items !== 'page') return input;
  return v.object({ ...input.entries, limit: filterInteger('limit', 1, MAX_LIMIT) });
}

/**
 * Reads one page of a list. `next` is the `before` parameter for the page of older items, or null if there
 * are none.
 * @throws {ServiceError} invalid_body if the filter is invalid
 */
async function readPage(
  operation: RoutedOperation,
  input: unknown,
  list: (filter: object) => Promise<unknown>,
): Promise<object> {
  const schema = toWireInput(operation);
  const filter: { limit?: number } = schema ? parseInput(schema, input) : {};
  const { limit = DEFAULT_LIMIT } = filter;
  // Fetches one more item than shown, to detect whether there is another page.
  const found = (await list({ ...filter, limit: limit + 1 })) as { readonly id: string | number }[];
  const isMore = found.length > limit;
  const isNewestFirst = operation.order !== 'oldest first';
  const items = isNewestFirst ? found.slice(0, limit) : found.slice(isMore ? 1 : 0);
  const oldest = isNewestFirst ? items.at(-1) : items[0];
  return { items, next: isMore && oldest ? oldest.id : null };
}

/**
 * Interval of the stream's heartbeats. Milliseconds of real time. A page treats the connection as lost
 * after five seconds of silence.
 */
const HEARTBEAT_MS = 2_000;
/** The number of messages by which a listener may fall behind before it is disconnected. */
const MAX_BEHIND = 1_000;

/**
 * Responds with server-sent events: all future changes. A listener that was disconnected reads again what it
 * shows, because messages have no ids by which it could ask for those that it has missed.
 */
function respondStream(c: Context, live: Live, clock: RealClock): Response {
  const topics = c.req.query('topics')?.split(',');
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

        // The first bytes open the stream and set the reconnection time.
        send('retry: 1000\n\n');
        beat();
        const message = (update: LiveMessage): void => {
          const isWanted = !topics || topics.includes(update.topic) || update.topic === 'reload';
          if (isWanted) send(toEventText(update));
        };
        disposers.add(live.subscribe({ message, end }));
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

function toEventText({ topic, data }: LiveMessage): string {
  return `event: ${topic}\ndata: ${JSON.stringify(data)}\n\n`;
}
