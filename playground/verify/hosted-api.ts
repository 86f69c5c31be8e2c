import { formatError } from '../shared/kit/format-error.ts';
import { type HostedSession, parseHostedSession } from './hosted-session.ts';

/** What the hosted page asks of the service, authorised by one of the session's own tokens. */
export interface HostedApi {
  session(): Promise<HostedSession>;
  /** Says that the page is still there, and hears how things stand. */
  heartbeat(): Promise<HostedSession>;
  /** Makes this device the one that the shopper goes on with. */
  continueHere(): Promise<HostedSession>;
  /** Hands in how good the pictures were. The pictures themselves stay where they are. */
  submit(imageQuality: ImageQuality): Promise<HostedSession>;
  /** Goes back to the camera after a picture that was not usable. */
  retry(): Promise<HostedSession>;
  /** Ends the session as a scenario of the sandbox. */
  settle(outcome: string): Promise<HostedSession>;
  cancel(): Promise<HostedSession>;
  /** Says that the page is going away. It outlives the page, and any later call takes it back. */
  leave(): void;
}

export type ImageQuality = 'good' | 'poor';

/** `invalid`: the service does not know this link. `settled`: too late. `unavailable`: no usable answer. */
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
  const get = (path: string): Promise<Response> =>
    fetch(`${origin}/hosted/v1/${path}`, { headers: { authorization }, cache: 'no-store' });
  const post = (path: string, body: object): Promise<Response> =>
    fetch(`${origin}/hosted/v1/${path}`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      body: JSON.stringify(body),
      // Only this flag lets a request finish after its page is gone.
      keepalive: path === 'leave',
    });

  return {
    session: () => readSession(get('session')),
    heartbeat: () => readSession(post('heartbeat', {})),
    continueHere: () => readSession(post('continue', {})),
    submit: (imageQuality) => readSession(post('submit', { imageQuality })),
    retry: () => readSession(post('retry', {})),
    settle: (outcome) => readSession(post('outcome', { outcome })),
    cancel: () => readSession(post('cancel', {})),
    leave: () => void post('leave', {}).catch(() => undefined),
  };
}

async function readSession(sent: Promise<Response>): Promise<HostedSession> {
  let response: Response;
  try {
    response = await sent;
    if (response.ok) return parseHostedSession(await response.json());
  } catch (error) {
    throw new HostedApiError('unavailable', formatError(error));
  }
  throw new HostedApiError(
    kindOfStatus(response.status),
    `the service answered ${response.status}`,
  );
}

function kindOfStatus(status: number): HostedApiError['kind'] {
  if (status === 409) return 'settled';
  return status === 400 || status === 401 || status === 403 || status === 404
    ? 'invalid'
    : 'unavailable';
}
