/** A running mock, over its control surface and its API. Every method rejects with a sentence. */
export interface MockClient {
  /** Where it is: `http://127.0.0.1:4010`. */
  readonly url: string;
  get<T>(path: string, query?: Query): Promise<T>;
  /** The items of a list that comes in one piece. */
  list<T>(path: string): Promise<T[]>;
  /** A long list page by page, the newest first; inside a page the items stand as the mock gives them. */
  pages<T>(path: string, query?: Query): AsyncGenerator<T[]>;
  post<T>(path: string, body: object): Promise<T>;
  /** Posts to the public API, with a key. */
  call<T>(path: string, key: string, body: object): Promise<T>;
}

export type Query = Readonly<Record<string, string | number | undefined>>;

interface Page<T> {
  readonly items: T[];
  /** Where the page of older items begins; null when there are none. */
  readonly next?: string | null;
}

export const DEFAULT_URL = 'http://127.0.0.1:4010';

/**
 * Reads the address of a mock the way people type it: a host and port, or the control or API base that
 * `start` prints.
 * @throws {RangeError} with a sentence
 */
export function parseMockUrl(source: string, text: string): string {
  const full = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`;
  if (URL.canParse(full) && /^https?:/i.test(full)) {
    const { origin, pathname } = new URL(full);
    if (/^\/((control|api)\/v1\/?)?$/.test(pathname)) return origin;
  }
  throw new RangeError(
    `${source} must be the address of a mock, such as ${DEFAULT_URL}, got "${text}"`,
  );
}

export function createMockClient(url: string): MockClient {
  async function send<T>(path: string, init: RequestInit): Promise<T> {
    const response = await fetch(url + path, init).catch((cause: unknown) => {
      throw new Error(toAbsence(url), { cause });
    });
    const text = await response.text();
    const body = parseJson(text);
    if (response.ok && (body !== undefined || text === '')) return body as T;
    throw new Error(
      isEnvelope(body)
        ? [body.message].flat().join('; ')
        : `what answers at ${url} is not a mock of this version (${response.status})`,
    );
  }
  const withBody = (body: object, headers: Record<string, string> = {}): RequestInit => ({
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });

  const get = <T>(path: string, query: Query = {}): Promise<T> =>
    send<T>(`/control/v1${path}${toSearch(query)}`, {});
  return {
    url,
    get,
    list: async <T>(path: string) => (await get<Page<T>>(path)).items,
    async *pages<T>(path: string, query: Query = {}) {
      for (let before: Page<T>['next']; before !== null;) {
        const { items, next = null } = await get<Page<T>>(path, { ...query, before });
        yield items;
        before = next;
      }
    },
    post: (path, body) => send(`/control/v1${path}`, withBody(body)),
    call: (path, key, body) =>
      send(`/api/v1${path}`, withBody(body, { authorization: `Bearer ${key}` })),
  };
}

/** How to come by a mock, where there is none. */
function toAbsence(url: string): string {
  const { port, hostname } = new URL(url);
  const isHere = hostname === 'localhost' || hostname === '127.0.0.1';
  const option = port === '4010' || !isHere ? '' : ` --port ${port || '80'}`;
  return `there is no mock at ${url}; start one with ofage-mock start${option}, or say with --url where it is`;
}

function toSearch(query: Query): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) search.set(name, String(value));
  }
  return search.size === 0 ? '' : `?${search}`;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function isEnvelope(body: unknown): body is { message: string | readonly string[] } {
  return typeof body === 'object' && body !== null && 'statusCode' in body && 'message' in body;
}
