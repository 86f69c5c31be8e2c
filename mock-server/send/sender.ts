/** One webhook request. Its headers do not include `content-length` and `host`, which the sender adds. */
export interface WebhookRequest {
  /** The stored address of the delivery or the endpoint. It is checked again before each connection. */
  url: string;
  headers: Readonly<Record<string, string>>;
  /** The exact bytes to send. The signature, if there is one, was made from them. */
  body: Uint8Array;
  /**
   * The limit for everything together: name resolution, connection, TLS, every redirect and the headers of
   * the final response. Milliseconds of wall clock.
   */
  timeoutMs: number;
  /** Aborts before the time limit when a clock move no longer waits for the attempt. */
  signal?: AbortSignal;
}

/**
 * The result of a request. `address` is the last address that was dialled, for operators only, or null if
 * none was or the sender uses `fetch`. `hops` counts redirects.
 */
export type WebhookResult =
  | {
      kind: 'response';
      status: number;
      /** The `Retry-After` header as it was sent. */
      retryAfter: string | null;
      address: string | null;
      hops: number;
    }
  | { kind: 'failure'; error: WebhookFailure; address: string | null; hops: number }
  | { kind: 'refused'; error: WebhookRefusal; address: string | null; hops: number };

/** The reason why a request failed or got no response. Another attempt may succeed. */
export type WebhookFailure =
  'timeout' | 'dns' | 'connect' | 'tls' | 'reset' | 'too_many_redirects' | 'bad_redirect';

/**
 * The reason why a destination is not allowed. The request was not sent, or a redirect to it was not
 * followed.
 */
export type WebhookRefusal = 'destination_not_public' | 'not_https';

/** Sends webhooks, for example over sockets or with `fetch`. */
export interface Sender {
  /** Sends one request and resolves with its result, also after a failure. Never rejects. */
  send(request: WebhookRequest): Promise<WebhookResult>;
}
