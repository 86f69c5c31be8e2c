import type { ChangeFilter, ChangeResource } from './changes.ts';
import { createServiceClock, type ServiceClock } from './clock.ts';
import {
  CLOCK_ROUTES,
  type Control,
  CONTROL_PATH,
  CONTROL_ROUTES,
  type Route,
  splitArguments,
  STREAM_PATH,
} from './control.ts';
import type { DeliveryFilter, DeliveryResource, EventFilter, EventResource } from './deliveries.ts';
import type { ReportFilter, ReportResource } from './reports.ts';
import type { RequestFilter, RequestResource } from './requests.ts';
import type { SessionFilter, SessionResource } from './sessions.ts';

/**
 * The subject of a message. `reload` means that too much has changed for single messages, so the listener
 * must read everything again.
 */
export type LiveTopic =
  | 'tenant'
  | 'key'
  | 'session'
  | 'endpoint'
  | 'event'
  | 'delivery'
  | 'fault'
  | 'clock'
  | 'request'
  | 'observation'
  | 'change'
  | 'report'
  | 'reload';

/** The origin at which `ofage-mock start` listens by default. */
export const DEFAULT_URL = 'http://127.0.0.1:4010';

/** Options of `createControlClient`. The default address is that of `ofage-mock start`. */
export interface ControlClientOptions {
  /**
   * The mock's address, either its origin or the control base that `ofage-mock start` prints.
   * @default "http://127.0.0.1:4010"
   */
  baseUrl?: string;
  /**
   * Sends the requests, for example to a service in the same process or with a timeout. If it rejects with
   * a {@link ControlError}, the error is passed on unchanged.
   * @default the global fetch
   */
  fetch?: (url: string, init: RequestInit) => Promise<Response>;
  /**
   * Wraps each call except `stream`, for example to add a timeout. The method settles with the wrapper's
   * result.
   * @default no wrapper
   */
  around?: (
    call: ControlCall,
    send: (signal?: AbortSignal) => Promise<unknown>,
  ) => Promise<unknown>;
}

/** A call to one of the client's methods. */
export interface ControlCall {
  /**
   * The method's name, such as `settle`. A clock method has a prefix, as in `clock.advance`, and a call
   * that reads a page has the name of its list.
   */
  readonly name: ControlMethod;
  readonly args: readonly unknown[];
  /** True if the call may change something. */
  readonly isChange: boolean;
}

/** The name of a method of the control API, such as `settle` or `clock.advance`. */
export type ControlMethod = keyof Control | `clock.${Exclude<keyof ServiceClock, 'now'>}`;

/** The control API of a running mock: the methods of `service.control`, over HTTP. */
export interface ControlClient extends Control {
  /** The mock's origin, such as `http://127.0.0.1:4010`. */
  readonly origin: string;
  /** Base URL of the control API: `http://127.0.0.1:4010/control/v1`. */
  readonly baseUrl: string;
  readonly clock: ServiceClock;
  /** The long lists, page by page. */
  readonly pages: ControlPages;
  /**
   * Opens the live stream.
   * @returns the response, whose body is server-sent events
   */
  stream(options?: StreamOptions): Promise<Response>;
}

/** One page of a list. The first page has the newest items. */
export interface Page<Item extends { id: string | number }> {
  /** The items, in the order of the list. */
  items: Item[];
  /** The `before` parameter for the page of older items, or null if there are none. */
  next: Item['id'] | null;
}

/** The long lists. `limit` is the number of items per page: 1 to 1_000, 100 by default. */
export interface ControlPages {
  /** Lists sessions, newest first. */
  sessions(filter?: SessionFilter): Promise<Page<SessionResource>>;
  /** Lists events, oldest first. */
  events(filter?: EventFilter): Promise<Page<EventResource>>;
  /** Lists deliveries with all their attempts, oldest first. */
  deliveries(filter?: DeliveryFilter): Promise<Page<DeliveryResource>>;
  /** Lists requests, newest first. */
  requests(filter?: RequestFilter): Promise<Page<RequestResource>>;
  /** Lists changes, newest first. */
  changes(filter?: ChangeFilter): Promise<Page<ChangeResource>>;
  /** Lists reports of the shop's pages, newest first. */
  reports(filter?: ReportFilter): Promise<Page<ReportResource>>;
}

/** Options of `stream`. */
export interface StreamOptions {
  /** @default every topic */
  topics?: readonly LiveTopic[];
  /** Closes the stream. */
  signal?: AbortSignal;
}

/**
 * Creates a client of the control API, for programs that control a mock in another process.
 *
 * Its methods resolve with the same results as those of `service.control`, and reject with a {@link
 * ControlError}. Input is checked only by the mock.
 *
 * @param options The address of the mock, and functions that send or wrap the calls.
 * @returns The client. It sends nothing until a method is called.
 * @example
 * ```ts
 * import { createControlClient } from 'ofage-mock/client';
 *
 * const mock = createControlClient({ baseUrl: 'http://127.0.0.1:4010' });
 * const [tenant] = await mock.tenants();
 * if (tenant) await mock.queueNextOutcomes(tenant.id, ['failed_age_not_met']);
 * await mock.clock.advance(600_000);
 * ```
 */
export function createControlClient(options: ControlClientOptions = {}): ControlClient {
  const { baseUrl = DEFAULT_URL, around = (_call, send) => send() } = options;
  const fetch = options.fetch ?? ((url, init) => globalThis.fetch(url, init));
  const origin = baseUrl.replace(/\/+$/, '').replace(new RegExp(`${CONTROL_PATH}$`), '');

  const send = createSend(origin, fetch);

  async function sendCall(route: Route, args: readonly unknown[], signal?: AbortSignal) {
    const { method } = route;
    const { ids, input } = splitArguments(route, args);
    const isRead = method === 'GET';
    const path = fill(route.path, ids) + (isRead ? toSearch(input) : '');
    const response = await send(path, {
      method,
      ...(!isRead && toBody(input)),
      ...(signal && { signal }),
    });
    if (response.status === 204) return undefined;
    return response.json().catch((cause: unknown) => {
      throw notAMock(response, origin, cause);
    });
  }

  /** @param pick Extracts the result from the response. */
  function toMethods(
    prefix: string,
    routes: Routes,
    pick: (answer: unknown, route: Route) => unknown,
  ) {
    const toMethod = ([name, route]: Routes[number]) => [
      name,
      (...args: unknown[]) => {
        const call = { name: (prefix + name) as ControlMethod, args };
        return around({ ...call, isChange: route.method !== 'GET' }, async (signal) =>
          pick(await sendCall(route, args, signal), route),
        );
      },
    ];
    // The cast is safe, because the routes list the methods, and the service's tests check that they
    // resolve as typed.
    return Object.fromEntries(routes.map(toMethod)) as never;
  }

  const control = Object.entries<Route>(CONTROL_ROUTES);
  const clock = toMethods('clock.', Object.entries<Route>(CLOCK_ROUTES), toResult);
  return {
    ...(toMethods('', control, toResult) as Control),
    origin,
    baseUrl: origin + CONTROL_PATH,
    clock: createServiceClock(clock),
    pages: toMethods('', control.filter(isPaged), (answer) => answer),
    stream: ({ topics, signal } = {}) =>
      send(STREAM_PATH + toSearch({ topics: topics?.join() }), signal ? { signal } : {}),
  };
}

type Send = (path: string, init: RequestInit) => Promise<Response>;

/**
 * Creates a function that calls a path of the control API and rejects with a ControlError if the call
 * fails.
 */
function createSend(origin: string, fetch: NonNullable<ControlClientOptions['fetch']>): Send {
  return async (path, init) => {
    const url = origin + CONTROL_PATH + path;
    const response = await fetch(url, init).catch((cause: unknown) => {
      if (cause instanceof ControlError) throw cause;
      const sentence = `Cannot reach the mock at ${origin}: is it running?`;
      throw new ControlError('unreachable', null, [sentence], { cause });
    });
    if (response.ok) return response;
    throw await toRefusal(response, origin);
  };
}

type Routes = readonly (readonly [name: string, route: Route])[];

function toResult(answer: unknown, { items }: Route): unknown {
  return items ? (answer as { items: unknown }).items : answer;
}

function isPaged([, { items }]: Routes[number]): boolean {
  return items === 'page';
}

function fill(path: string, ids: readonly string[]): string {
  const left = [...ids];
  return path.replaceAll(/\{\w+\}/g, () => encodeURIComponent(left.shift() ?? ''));
}

function toSearch(filter: unknown): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(filter ?? {})) {
    if (value != null) search.set(name, String(value));
  }
  const text = search.toString();
  return text === '' ? '' : `?${text}`;
}

function toBody(input: unknown): RequestInit {
  if (input === undefined) return {};
  return { body: JSON.stringify(input), headers: { 'content-type': 'application/json' } };
}

async function toRefusal(response: Response, origin: string): Promise<ControlError> {
  const body: unknown = await response.json().catch(() => null);
  if (!isEnvelope(body)) return notAMock(response, origin);
  return new ControlError('refused', response.status, [body.message].flat());
}

/** Requires both fields, because error bodies of other servers may have a message too. */
function isEnvelope(body: unknown): body is { message: string | string[] } {
  return typeof body === 'object' && body !== null && 'statusCode' in body && 'message' in body;
}

function notAMock({ status }: Response, origin: string, cause?: unknown): ControlError {
  const sentence = `Cannot use the response: the server at ${origin} is not a mock of this version (${status})`;
  return new ControlError('not_a_mock', status, [sentence], { cause });
}

/** The reason why a call to the control API failed. */
export type ControlErrorCode =
  /** The mock did not respond. */
  | 'unreachable'
  /** The response did not come from a mock of this version. */
  | 'not_a_mock'
  /** The mock refused the call. `sentences` has the reasons. */
  | 'refused';

/** The error of a failed call to the control API. */
export class ControlError extends Error {
  readonly code: ControlErrorCode;
  /** The HTTP status, or null if there was no response. */
  readonly status: number | null;
  /** All problems, one sentence each. */
  readonly sentences: readonly string[];

  constructor(
    code: ControlErrorCode,
    status: number | null,
    sentences: readonly string[],
    options?: ErrorOptions,
  ) {
    super(sentences.join('; '), options);
    this.name = 'ControlError';
    this.code = code;
    this.status = status;
    this.sentences = sentences;
  }
}
