export interface ReceivedWebhook {
  readonly headers: Headers;
  /** The exact bytes of the body. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** The URL to which it was sent, or only its path and query. */
  readonly url: string;
  /** The parsed body, or an empty object if it is not a JSON object. */
  readonly body: WebhookBody;
}

export interface WebhookBody {
  readonly event?: string;
  readonly timestamp?: string;
  readonly tenantId?: string;
  readonly test?: boolean;
  readonly eventId?: string;
  readonly data?: Readonly<Record<string, unknown>>;
}

/** The response that a receiver returns to the service for a webhook. */
export interface WebhookAnswer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Records a webhook for the running check, and resolves to the response. */
export type HandleWebhook = (request: {
  readonly url: string;
  readonly headers: Headers;
  readonly bytes: Uint8Array;
}) => Promise<WebhookAnswer>;

/** A server or interceptor that passes webhooks to the kit. */
export interface Receiver {
  /** The base URL. Requests to every path below it reach the kit. */
  readonly url: string;
  /** A base URL with another origin that also reaches the kit, for redirects. @default none */
  readonly otherUrl?: string;
  /** Delays the response to a webhook. @default real time */
  delay?(ms: number): Promise<void>;
  /**
   * Starts to pass webhooks to `handle`.
   * @returns a function that stops it
   */
  listen(handle: HandleWebhook): Promise<() => Promise<void>>;
}

/** A URL of the receiver, and the webhooks that have arrived there. */
export interface Mailbox {
  readonly url: string;
  /** The same mailbox at another origin, or null if the receiver has only one. */
  readonly otherUrl: string | null;
  /** Delays the response to a webhook. */
  readonly delay: Receiver['delay'];
  readonly received: ReceivedWebhook[];
  /** Returns the response to each request. `n` counts the requests from 1. @default 204 */
  respond: (n: number, webhook: ReceivedWebhook) => WebhookAnswer | Promise<WebhookAnswer>;
}

/** Sorts the webhooks of a receiver into mailboxes, by the path of their URL. */
export interface Inbox {
  open(): Mailbox;
  close(): Promise<void>;
}

export async function openInbox(receiver: Receiver): Promise<Inbox> {
  const mailboxes = new Map<string, Mailbox>();
  let last: Mailbox | undefined;
  const stop = await receiver.listen(async (request) => {
    // A forwarding service may drop the path. The webhook then belongs to the newest mailbox, because checks
    // run one after the other.
    const mailbox = mailboxes.get(findName(request.url)) ?? last;
    if (!mailbox) return { status: 410 };
    const bytes = new Uint8Array(request.bytes);
    const webhook = { ...request, bytes, body: parseBody(bytes) };
    mailbox.received.push(webhook);
    return mailbox.respond(mailbox.received.length, webhook);
  });
  return {
    open() {
      const name = `check-${mailboxes.size + 1}`;
      const toUrl = (base: string): string => `${base.replace(/\/+$/, '')}/${name}`;
      const otherUrl = receiver.otherUrl === undefined ? null : toUrl(receiver.otherUrl);
      last = {
        url: toUrl(receiver.url),
        otherUrl,
        delay: receiver.delay?.bind(receiver),
        received: [],
        respond: () => ({ status: 204 }),
      };
      mailboxes.set(name, last);
      return last;
    },
    close: stop,
  };
}

/**
 * Returns the name of the mailbox in a URL, or '' if there is none. A path and a query may follow the name.
 */
function findName(url: string): string {
  return /\/(check-\d+)(?=[/?]|$)/.exec(url)?.[1] ?? '';
}

function parseBody(bytes: Uint8Array): WebhookBody {
  try {
    const body: unknown = JSON.parse(new TextDecoder().decode(bytes));
    return typeof body === 'object' && body !== null ? body : {};
  } catch {
    return {};
  }
}
