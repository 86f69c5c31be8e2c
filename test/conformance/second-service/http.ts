import { createServer, STATUS_CODES } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import { Refusal } from './bodies.ts';
import { countRequest, createRateLimit, setLimitHeaders } from './rate-limits.ts';
import { DEFAULT_LIMITS, toIso, type ApiKey, type Service } from './state.ts';

/** A request that the API accepts. */
interface Operation {
  readonly limit: keyof typeof DEFAULT_LIMITS;
  readonly status: number;
  readonly run: (service: Service, key: ApiKey, body: unknown) => object;
}

/** Creates the HTTP server. `operations` has a method and a path as the key, such as `POST /a`. */
export function createApi(
  service: Service,
  operations: Readonly<Record<string, Operation>>,
): Server {
  const { clock, keys } = service;

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname } = new URL(request.url ?? '/', 'http://service.invalid');
    const now = clock.now();
    try {
      const operation = operations[`${request.method} ${pathname}`];
      if (!operation) throw new Refusal(404, `Cannot ${request.method} ${pathname}`);
      // Every response to an operation has the headers, even if the key is unknown.
      setLimitHeaders(response, createRateLimit(DEFAULT_LIMITS[operation.limit]), now);
      const key = authenticate(request, keys);
      const limit = key.account.limits[operation.limit];
      const isAllowed = countRequest(limit, now);
      setLimitHeaders(response, limit, now);
      if (!isAllowed) throw new Refusal(429, 'Rate limit exceeded');
      const body = operation.run(service, key, await readBody(request));
      respond(response, operation.status, body);
    } catch (error) {
      const refusal = error instanceof Refusal ? error : new Refusal(500, 'Internal error');
      const { status, messages, code } = refusal;
      respond(response, status, {
        statusCode: status,
        message: messages,
        timestamp: toIso(now),
        path: pathname,
        error: STATUS_CODES[status],
        code,
      });
    }
  }

  return createServer((request, response) => void answer(request, response));
}

function authenticate({ headers }: IncomingMessage, keys: Service['keys']): ApiKey {
  const [, bearer] = /^Bearer\s+(\S+)$/i.exec(headers.authorization ?? '') ?? [];
  const text = bearer ?? headers['x-api-key'];
  if (text === undefined) throw new Refusal(401, 'API key required');
  const key = keys.get(String(text));
  if (!key?.isActive) throw new Refusal(401, 'Invalid API key');
  return key;
}

async function readBody(request: IncomingMessage): Promise<unknown> {
  return json(request).catch(() => {
    throw new Refusal(400, ['The body must be valid JSON']);
  });
}

/** Sends a JSON body, without the properties that are undefined. */
function respond(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}
