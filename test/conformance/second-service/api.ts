import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { STATUS_CODES } from 'node:http';
import { Refusal } from './bodies.ts';
import type { Clock } from './clock.ts';
import { toIso, type Account, type ApiKey, type Limit } from './model.ts';

const PREFIX = '/api/v1';
const WINDOW_MS = 60_000;
export const DEFAULT_LIMITS: Record<Limit, number> = { create: 300, validate: 100 };

export interface Operation {
  readonly limit: Limit;
  readonly status: number;
  readonly run: (key: ApiKey, body: unknown) => object;
}

interface Settings {
  readonly clock: Clock;
  readonly operations: Readonly<Record<string, Operation>>;
  readonly findKey: (text: string) => ApiKey | undefined;
  readonly noRateLimitHeaders: boolean;
}

/** Creates the HTTP server of the two operations. */
export function createApi(settings: Settings): Server {
  return createServer((request, response) => {
    void answer(settings, request, response);
  });
}

async function answer(
  { clock, operations, findKey, noRateLimitHeaders }: Settings,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { pathname } = new URL(request.url ?? '/', 'http://service.invalid');
  const operation = operations[`${request.method} ${pathname}`];
  const now = clock.now();
  let status = operation?.status ?? 404;
  let body: object;
  try {
    if (!operation) throw new Refusal(404, `Cannot ${request.method} ${pathname}`);
    const { limit } = operation;
    const setHeaders = (account?: Account) => {
      if (!noRateLimitHeaders) setRateLimitHeaders(response, limit, account, now);
    };
    setHeaders();
    const key = authenticate(request, findKey);
    const { account } = key;
    const isOver = !count(account, limit, now);
    setHeaders(account);
    if (isOver) {
      if (!noRateLimitHeaders)
        response.setHeader('X-RateLimit-Retry-After', secondsLeft(account, limit, now));
      throw new Refusal(429, 'Rate limit exceeded');
    }
    body = operation.run(key, await readJson(request));
  } catch (error) {
    const refusal = error instanceof Refusal ? error : new Refusal(500, 'Internal error');
    status = refusal.status;
    body = {
      statusCode: status,
      message: refusal.messages,
      timestamp: toIso(now),
      path: pathname,
      error: STATUS_CODES[status],
      ...(refusal.code !== undefined && { code: refusal.code }),
    };
  }
  const bytes = Buffer.from(JSON.stringify(body), 'utf8');
  response.writeHead(status, {
    'content-type': 'application/json',
    'content-length': bytes.length,
  });
  response.end(bytes);
}

function authenticate({ headers }: IncomingMessage, findKey: Settings['findKey']): ApiKey {
  const [, bearer] = /^Bearer\s+(\S+)$/i.exec(headers.authorization ?? '') ?? [];
  const text = bearer ?? headers['x-api-key'];
  if (text === undefined) throw new Refusal(401, 'API key required');
  const key = findKey(String(text));
  if (!key?.active) throw new Refusal(401, 'Invalid API key');
  return key;
}

/** Counts a request in the account's window. Returns false if the window is full. */
function count(account: Account, limit: Limit, now: number): boolean {
  const current = account.windows.get(limit);
  const isOver = !current || now >= current.startedAtMs + WINDOW_MS;
  const window = isOver ? { startedAtMs: now, used: 0 } : current;
  account.windows.set(limit, window);
  if (window.used >= account.limits[limit]) return false;
  window.used += 1;
  return true;
}

function secondsLeft({ windows }: Account, limit: Limit, now: number): number {
  const { startedAtMs = now } = windows.get(limit) ?? {};
  return Math.ceil((startedAtMs + WINDOW_MS - now) / 1000);
}

/**
 * Sets the rate-limit headers. If the account is unknown, they show the default limit and no used requests.
 */
function setRateLimitHeaders(
  response: ServerResponse,
  limit: Limit,
  account: Account | undefined,
  now: number,
): void {
  const most = account?.limits[limit] ?? DEFAULT_LIMITS[limit];
  const window = account?.windows.get(limit);
  const used = window && now < window.startedAtMs + WINDOW_MS ? window.used : 0;
  response.setHeader('X-RateLimit-Limit', most);
  response.setHeader('X-RateLimit-Window', WINDOW_MS / 1000);
  response.setHeader('X-RateLimit-Remaining', Math.max(most - used, 0));
}

async function readJson(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8'));
  } catch {
    throw new Refusal(400, ['The body must be valid JSON']);
  }
}

/** Returns the method and path of an operation, which is its key in `operations`. */
export function pathOf(name: string): string {
  return `POST ${PREFIX}/sessions/${name}`;
}
