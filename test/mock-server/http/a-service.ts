import { createMockService, type MockService, type ServiceOptions } from 'ofage/mock';

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The parsed response body. It is `any` because the tests check its fields. */
  readonly body: any;
}

/** A service with a frozen clock, and helpers that call it. */
export interface TestService {
  readonly service: MockService;
  control(method: string, path: string, body?: unknown): Promise<Answer>;
  api(operation: 'create' | 'validate', key: string, body: object): Promise<Answer>;
  /** Calls the hosted page's API with a token. */
  hosted(action: string, token: string, body?: object): Promise<Answer>;
  /** Creates a session with the first account's secret key. */
  create(body?: object): Promise<any>;
}

export const ORIGIN = 'http://127.0.0.1:4010';
export const NEW_YEAR = Date.UTC(2026, 0, 1);

export function aService(options: ServiceOptions = {}): TestService {
  const service = createMockService({ clock: { now: NEW_YEAR, frozen: true }, ...options });

  async function ask(method: string, path: string, key: string, body?: unknown): Promise<Answer> {
    const response = await service.fetch(
      new Request(ORIGIN + path, {
        method,
        headers: {
          'content-type': 'application/json',
          ...(key !== '' && { authorization: `Bearer ${key}` }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      }),
    );
    const text = await response.text();
    const { status, headers } = response;
    return { status, headers, text, body: parse(text) };
  }

  const api: TestService['api'] = (operation, key, body) =>
    ask('POST', `/api/v1/sessions/${operation}`, key, body);
  return {
    service,
    control: (method, path, body) => ask(method, `/control/v1${path}`, '', body),
    api,
    hosted: (action, token, body = {}) =>
      action === 'session'
        ? ask('GET', '/hosted/v1/session', token)
        : ask('POST', `/hosted/v1/${action}`, token, body),
    async create(body = {}) {
      const { secretKey } = await service.ready;
      return (await api('create', secretKey, { returnUrl: 'http://localhost/', ...body })).body;
    },
  };
}

function parse(text: string): unknown {
  try {
    return text === '' ? null : JSON.parse(text);
  } catch {
    return undefined;
  }
}
