import {
  clockRoutes,
  createServiceClock,
  type ClockOperations,
  type ServiceClock,
} from './clock.ts';
import { CONTROL_ROUTES, type Control } from './control.ts';
import { ControlError } from './control-error.ts';
import type { DeliveryFilter, EventFilter, SessionFilter } from './lists.ts';
import type { LiveTopic } from './live.ts';
import type { RequestFilter, RequestResource } from './request-log.ts';
import type { DeliveryResource, EventResource, SessionResource } from './resources.ts';
import { CONTROL_PATH, splitArguments, STREAM_PATH, type Route } from './route.ts';

/** Where a mock listens that is told nothing else. */
export const DEFAULT_URL = 'http://127.0.0.1:4010';

export interface ControlClientOptions {
  /**
   * Where the mock is: its origin, or the control base that `ofage-mock start` prints.
   * @default "http://127.0.0.1:4010"
   */
  baseUrl?: string;
  /**
   * Sends the requests, for a service in the same process, or with a timeout of your own. A
   * {@link ControlError} that it rejects with is passed on as it is.
   * @default the global fetch
   */
  fetch?: (url: string, init: RequestInit) => Promise<Response>;
}

/** The control API of a running mock: the methods of `service.control`, over HTTP. */
export interface ControlClient extends Control {
  /** The mock's origin, such as `http://127.0.0.1:4010`. */
  readonly origin: string;
  /** Where its control API is: `http://127.0.0.1:4010/control/v1`. */
  readonly baseUrl: string;
  readonly clock: ServiceClock;
  /** The long lists page by page. */
  readonly pages: ControlPages;
  /**
   * Opens the live stream.
   * @returns the response, whose body is server-sent events
   */
  stream(options?: StreamOptions): Promise<Response>;
}

/** One page of a list. */
export interface Page<Item extends { id: string | number }> {
  /** In the order of the list. */
  items: Item[];
  /** The `before` of the page of older items; null when there are none. */
  next: Item['id'] | null;
}

/** The long lists. `limit` is how many items a page has: 1 to 1_000, 100 when left out. */
export interface ControlPages {
  /** Newest first. */
  sessions(filter?: SessionFilter): Promise<Page<SessionResource>>;
  /** Oldest first. */
  events(filter?: EventFilter): Promise<Page<EventResource>>;
  /** Oldest first, with every attempt. */
  deliveries(filter?: DeliveryFilter): Promise<Page<DeliveryResource>>;
  /** Newest first. */
  requests(filter?: RequestFilter): Promise<Page<RequestResource>>;
}

export interface StreamOptions {
  /** @default every topic */
  topics?: readonly LiveTopic[];
  /** The id of the last message that was seen; what came after it is sent first. */
  lastEventId?: string | null;
  /** Ends the stream. */
  signal?: AbortSignal;
}

/**
 * Creates a client of the control API, for programs that steer a mock in another process.
 *
 * Methods resolve with what the methods of `service.control` resolve with, and reject with a
 * {@link ControlError}. Nothing is checked before it is sent.
 *
 * @param options Where the mock is.
 * @returns The client; it sends nothing before a method is called.
 * @example
 * ```ts
 * import { createControlClient } from 'ofage/mock/client';
 *
 * const mock = createControlClient({ baseUrl: 'http://127.0.0.1:4010' });
 * const [tenant] = await mock.tenants();
 * if (tenant) await mock.queueNextOutcomes(tenant.id, ['failed_age_not_met']);
 * await mock.clock.advance(600_000);
 * ```
 */
export function createControlClient(options: ControlClientOptions = {}): ControlClient {
  const { baseUrl = DEFAULT_URL } = options;
  const fetch = options.fetch ?? ((url, init) => globalThis.fetch(url, init));
  const origin = baseUrl.replace(/\/+$/, '').replace(new RegExp(`${CONTROL_PATH}$`), '');

  async function send(path: string, init: RequestInit): Promise<Response> {
    const url = origin + CONTROL_PATH + path;
    const response = await fetch(url, init).catch((cause: unknown) => {
      if (cause instanceof ControlError) throw cause;
      const sentence = `Cannot reach the mock at ${origin}: is it running?`;
      throw new ControlError('unreachable', null, [sentence], { cause });
    });
    if (response.ok) return response;
    throw await toRefusal(response, origin);
  }

  async function call(route: Route, args: readonly unknown[]): Promise<unknown> {
    const { ids, input } = splitArguments(route, args);
    const path = fill(route.path, ids);
    const response =
      route.method === 'GET'
        ? await send(path + toSearch(input), {})
        : await send(path, { method: route.method, ...toBody(input) });
    if (response.status === 204) return undefined;
    return response.json().catch((cause: unknown) => {
      throw notAMock(response, origin, cause);
    });
  }

  const result = async (route: Route, args: readonly unknown[]): Promise<unknown> => {
    const answer = await call(route, args);
    return route.items ? (answer as { items: unknown }).items : answer;
  };
  const isPaged = ([, route]: [string, Route]): boolean => route.items === 'page';

  return {
    ...(toMethods(Object.entries(CONTROL_ROUTES), result) as unknown as Control),
    origin,
    baseUrl: origin + CONTROL_PATH,
    clock: createServiceClock(
      toMethods(Object.entries(clockRoutes), result) as unknown as ClockOperations,
    ),
    pages: toMethods(
      Object.entries(CONTROL_ROUTES).filter(isPaged),
      call,
    ) as unknown as ControlPages,
    stream: ({ topics, lastEventId, signal } = {}) =>
      send(STREAM_PATH + toSearch({ topics: topics?.join() }), {
        ...(lastEventId != null && { headers: { 'last-event-id': lastEventId } }),
        ...(signal && { signal }),
      }),
  };
}

function toMethods(
  routes: readonly (readonly [string, Route])[],
  call: (route: Route, args: readonly unknown[]) => Promise<unknown>,
): Record<string, (...args: unknown[]) => Promise<unknown>> {
  return Object.fromEntries(
    routes.map(([name, route]) => [name, (...args: unknown[]) => call(route, args)]),
  );
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

/** Other servers have messages too, but not beside a status. */
function isEnvelope(body: unknown): body is { message: string | string[] } {
  return typeof body === 'object' && body !== null && 'statusCode' in body && 'message' in body;
}

function notAMock({ status }: Response, origin: string, cause?: unknown): ControlError {
  const sentence = `Cannot use the answer: what answers at ${origin} is not a mock of this version (${status})`;
  return new ControlError('not_a_mock', status, [sentence], { cause });
}
