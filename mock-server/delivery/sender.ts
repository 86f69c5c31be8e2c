/** One webhook request, complete: the sender adds nothing but `content-length` and `host`. */
export interface WebhookRequest {
  /** Where to send, as stored with the event. It is checked again before each connection. */
  url: string;
  headers: Readonly<Record<string, string>>;
  /** The stored bytes; the signature was made over exactly these. */
  body: Uint8Array<ArrayBuffer>;
  /**
   * One budget for everything: name resolution, connect, TLS, every redirect and the final response
   * head. Milliseconds of wall clock.
   */
  timeoutMs: number;
  /** Aborts when the time is over before that, because the clock of the service was moved. */
  signal?: AbortSignal;
}

/** What came of it. `address` is the last one connected to, for operators alone; `hops` counts redirects. */
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

/** The world did not let the request through; another attempt may succeed. */
export type WebhookFailure =
  'timeout' | 'dns' | 'connect' | 'tls' | 'reset' | 'too_many_redirects' | 'bad_redirect';

/** We did not send, or did not follow a redirect, because of where it leads. */
export type WebhookRefusal = 'destination_not_public' | 'not_https';

/** The port through which the engine reaches a receiver. It resolves on every path and never rejects. */
export interface Sender {
  send(request: WebhookRequest): Promise<WebhookResult>;
}
