import type { Sender, WebhookRequest, WebhookResult } from 'ofage-mock';

export type Fetch = (request: Request) => Promise<Response>;
export type Json = Record<string, any>;

/** A wrapper that makes a correct service break one rule of the specification. */
export interface BrokenService {
  name: string;
  /** The checks that must fail. Empty if only a page shows the mistake. */
  noticedBy: readonly string[];
  /** The broken rule, with its section in the specification. */
  breaks: string;
  /** Answers a request. `next` is the correct service. */
  fetch?(request: Request, next: Fetch, memory: Map<string, unknown>): Promise<Response>;
  /** Sends a webhook. `next` is the correct sender. */
  send?(request: WebhookRequest, next: Sender['send'], world: World): Promise<WebhookResult>;
}

export interface World {
  /** Shared with the wrapper's `fetch`. Each service has its own. */
  memory: Map<string, unknown>;
  /** Asks the correct service, for example its control API. */
  service: Fetch;
}

/**
 * Builds a service that breaks one rule.
 *
 * @param sender The correct sender.
 * @param create Creates the correct service with the given sender.
 * @returns the correct service, and the `fetch` of the broken one.
 */
export function breakService<Service extends { fetch: Fetch }>(
  broken: BrokenService,
  { sender, create }: { sender: Sender; create(sender: Sender): Service },
): { service: Service; fetch: Fetch } {
  const memory = new Map<string, unknown>();
  // Wrappers may read a request after they have passed it on.
  const ask: Fetch = (request) => service.fetch(request.clone());
  const next = sender.send.bind(sender);
  const send = (request: WebhookRequest): Promise<WebhookResult> =>
    broken.send ? broken.send(request, next, { memory, service: ask }) : next(request);
  const service: Service = create({ send });
  return { service, fetch: (request) => broken.fetch?.(request, ask, memory) ?? ask(request) };
}

export const CREATE = '/api/v1/sessions/create';
export const VALIDATE = '/api/v1/sessions/validate';

export function pathOf(request: Request): string {
  return new URL(request.url).pathname;
}

export function isPost(request: Request, path: string): boolean {
  return request.method === 'POST' && pathOf(request) === path;
}

/** Reads a JSON object without consuming the body. Anything else is an empty object. */
export async function readJson(message: Request | Response): Promise<Json> {
  // The control API has a stream of events, which does not end.
  if (message.headers.get('content-type')?.startsWith('text/')) return {};
  const value: unknown = await message
    .clone()
    .json()
    .catch(() => null);
  return typeof value === 'object' && value !== null ? value : {};
}

/** Returns the request with another body. */
export async function withBody(request: Request, body: Json): Promise<Request> {
  const headers = new Headers(request.headers);
  headers.delete('content-length');
  return new Request(request.url, { method: request.method, headers, body: JSON.stringify(body) });
}

/** Returns the response with changed headers. */
export function withHeaders(response: Response, change: (headers: Headers) => void): Response {
  const headers = new Headers(response.headers);
  change(headers);
  const body = response.status === 204 ? null : response.body;
  return new Response(body, { status: response.status, headers });
}

/** Returns the response with another JSON body, and possibly another status. */
export function withJson(response: Response, body: Json, status = response.status): Response {
  const headers = new Headers(response.headers);
  headers.delete('content-length');
  return new Response(JSON.stringify(body), { status, headers });
}

/** Returns the response with some fields of its JSON body changed. */
export async function patchJson(response: Response, change: Json): Promise<Response> {
  return withJson(response, { ...(await readJson(response)), ...change });
}

/** Calls the control API of the correct service. */
export async function control(
  service: Fetch,
  route: `${'GET' | 'POST' | 'PATCH'} /${string}`,
  body?: Json,
): Promise<Json> {
  const [method, path] = route.split(' ') as [string, string];
  const headers = { 'content-type': 'application/json' };
  const init = body ? { method, headers, body: JSON.stringify(body) } : { method };
  return readJson(await service(new Request(`http://localhost/control/v1${path}`, init)));
}

export async function readNow(service: Fetch): Promise<string> {
  return (await control(service, 'GET /clock'))['now'];
}

export function keyOf(request: Request): string {
  const bearer = request.headers.get('authorization')?.replace(/^bearer /i, '');
  return (bearer ?? request.headers.get('x-api-key') ?? '').trim();
}

/** Finds the account and the key pair of an API key. */
export async function findAccount(
  service: Fetch,
  key: string,
): Promise<{ tenant: Json; pair: Json } | undefined> {
  for (const tenant of (await control(service, 'GET /tenants'))['items']) {
    const { items } = await control(service, `GET /tenants/${tenant.id}/key-pairs`);
    const pair = items.find((each: Json) =>
      [each['publishable'].value, each['secret'].value].includes(key),
    );
    if (pair) return { tenant, pair };
  }
  return undefined;
}

export function toText(body: Uint8Array): string {
  return new TextDecoder().decode(body);
}

const SIGNATURE = 'x-ofage-signature';

export async function sign(secret: string, text: string): Promise<string> {
  const bytes = (value: string) => new TextEncoder().encode(value);
  // Web Crypto refuses an empty key. A zero byte gives the same digest, because HMAC pads keys with zeros.
  const raw = bytes(secret || '\0');
  const key = await crypto.subtle.importKey('raw', raw, { name: 'HMAC', hash: 'SHA-256' }, false, [
    'sign',
  ]);
  const digest = new Uint8Array(await crypto.subtle.sign('HMAC', key, bytes(text)));
  return `sha256=${[...digest].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}

export function signatureOf(request: WebhookRequest): string | undefined {
  return request.headers[SIGNATURE];
}

export function withSignature(request: WebhookRequest, signature: string | undefined) {
  const { [SIGNATURE]: _, ...headers } = request.headers;
  if (signature === undefined) return { ...request, headers };
  return { ...request, headers: { ...headers, [SIGNATURE]: signature } };
}

/** Finds the secret that signed a request, which only a snapshot of the service contains. */
export async function findSecret(
  request: WebhookRequest,
  { service }: World,
): Promise<string | undefined> {
  const signature = signatureOf(request);
  const { tables } = await control(service, 'GET /snapshot');
  for (const row of Object.values(tables as Record<string, unknown>).flat() as Json[]) {
    const secret = row['secret'];
    if (typeof secret !== 'string') continue;
    if ((await sign(secret, toText(request.body))) === signature) return secret;
  }
  return undefined;
}

/** Returns a webhook with another body, and with a valid signature if it had one. */
export async function withPayload(
  request: WebhookRequest,
  payload: Json,
  world: World,
): Promise<WebhookRequest> {
  const text = JSON.stringify(payload);
  const changed = { ...request, body: new TextEncoder().encode(text) };
  const secret = await findSecret(request, world);
  return secret === undefined ? changed : withSignature(changed, await sign(secret, text));
}

export function payloadOf(request: WebhookRequest): Json {
  return JSON.parse(toText(request.body));
}
