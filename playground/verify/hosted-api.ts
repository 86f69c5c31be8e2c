import { CHANGE_MS, READ_MS, inTime } from '../shared/in-time.ts';
import { formatError } from '../shared/kit/format-error.ts';
import { type HostedSession, parseHostedSession } from './hosted-session.ts';

/** The hosted page's API, authorised by one of the session's tokens. */
export interface HostedApi {
  session(): Promise<HostedSession>;
  /** Reports that the page is open, and reads the session. */
  heartbeat(): Promise<HostedSession>;
  /** Makes this device the active one. */
  continueHere(): Promise<HostedSession>;
  /** Submits the quality of the pictures. The pictures themselves never leave the page. */
  submit(imageQuality: ImageQuality): Promise<HostedSession>;
  /** Uses up a retry, so that another picture can be submitted after an unusable one. */
  retry(): Promise<HostedSession>;
  /** Settles the session with a sandbox scenario. */
  settle(outcome: string): Promise<HostedSession>;
  cancel(): Promise<HostedSession>;
  /** Reports that the page is closing. The request outlives the page, and any later call revokes it. */
  leave(): void;
}

export type ImageQuality = 'good' | 'poor';

/**
 * A failed request. `invalid`: the service does not accept the link. `settled`: the session does not allow
 * the request, usually because it has ended. `unavailable`: there was no usable response.
 */
export class HostedApiError extends Error {
  override readonly name = 'HostedApiError';
  readonly kind: 'invalid' | 'settled' | 'unavailable';

  constructor(kind: HostedApiError['kind'], message: string) {
    super(message);
    this.kind = kind;
  }
}

export function createHostedApi(origin: string, token: string): HostedApi {
  const authorization = `Bearer ${token}`;
  const get = (path: string, signal: AbortSignal): Promise<Response> =>
    fetch(`${origin}/hosted/v1/${path}`, { headers: { authorization }, cache: 'no-store', signal });
  const post = (path: string, body: object, more: RequestInit): Promise<Response> =>
    fetch(`${origin}/hosted/v1/${path}`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      body: JSON.stringify(body),
      ...more,
    });
  const change = (path: string, body: object = {}): Promise<HostedSession> =>
    readSession(CHANGE_MS, (signal) => post(path, body, { signal }));

  return {
    session: () => readSession(READ_MS, (signal) => get('session', signal)),
    heartbeat: () => readSession(READ_MS, (signal) => post('heartbeat', {}, { signal })),
    continueHere: () => change('continue'),
    submit: (imageQuality) => change('submit', { imageQuality }),
    retry: () => change('retry'),
    settle: (outcome) => change('outcome', { outcome }),
    cancel: () => change('cancel'),
    // `keepalive` lets the request finish after the page has closed. It has no time limit, because timers
    // stop then.
    leave: () => void post('leave', {}, { keepalive: true }).catch(() => undefined),
  };
}

async function readSession(
  timeoutMs: number,
  request: (signal: AbortSignal) => Promise<Response>,
): Promise<HostedSession> {
  try {
    return await inTime('The service', timeoutMs, async (signal) => {
      const response = await request(signal);
      if (response.ok) return parseHostedSession(await response.json());
      const message = `The service answered ${response.status}`;
      throw new HostedApiError(kindOfStatus(response.status), message);
    });
  } catch (error) {
    if (error instanceof HostedApiError) throw error;
    throw new HostedApiError('unavailable', formatError(error));
  }
}

function kindOfStatus(status: number): HostedApiError['kind'] {
  if (status === 409) return 'settled';
  return status === 400 || status === 401 || status === 403 || status === 404
    ? 'invalid'
    : 'unavailable';
}
