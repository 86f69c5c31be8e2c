import type {
  Account,
  AddedEndpoint,
  CreatedSession,
  Driver,
  EndpointRequest,
  EventKind,
  SettledStatus,
} from './driver.ts';
import type { Answer, Call } from './exchange.ts';
import type { ReceivedWebhook, Receiver, WebhookAnswer } from './inbox.ts';
import type { Matcher } from './matchers.ts';
import type { OpenPage } from './pages/open-page.ts';
import type { Visit, VisitPlan } from './pages/visit.ts';

/** The account of a check. The tenantId is unknown if its keys were passed to `createKit`. */
export interface WorldAccount extends Omit<Account, 'tenantId'> {
  readonly tenantId: string | undefined;
  /** An allowed returnUrl. */
  readonly returnUrl: string;
}

/** A URL whose webhooks the check receives. */
export interface MailboxHook {
  readonly url: string;
  /** The same URL at another origin, or null if the receiver has only one. */
  readonly otherUrl: string | null;
  readonly delay: Receiver['delay'];
  /** Returns the webhooks about a session of this check, and test events, in the order of arrival. */
  received(): readonly ReceivedWebhook[];
  /** Waits until at least `count` webhooks have arrived. Fails the check if they do not. */
  waitFor(count: number): Promise<readonly ReceivedWebhook[]>;
  /** Waits until at least `count` webhooks of a kind have arrived. Fails the check if they do not. */
  waitForEvent(event: EventKind, count?: number): Promise<readonly ReceivedWebhook[]>;
  /** Waits as long as a webhook that is due may take, and returns all webhooks that have arrived. */
  quiet(): Promise<readonly ReceivedWebhook[]>;
  /** Sets the response to each request. `n` counts the requests of this check from 1. @default 204 */
  respond(
    answer: (n: number, webhook: ReceivedWebhook) => WebhookAnswer | Promise<WebhookAnswer>,
  ): void;
}

/** An endpoint whose webhooks the check receives. */
export interface Hook extends MailboxHook, AddedEndpoint {}

export interface HookOptions extends Omit<EndpointRequest, 'tenantId' | 'url'> {
  /** Added to the URL, such as `?a=1`. */
  readonly path?: string;
}

/** One check's access to the implementation: an account, its keys and the driver. */
export interface World {
  readonly account: WorldAccount;
  readonly pk: string;
  readonly sk: string;
  /**
   * The driver. A check should use only the members that it declares in `needs`, and `createAccount` only if
   * it has `settings` or the account is new.
   */
  readonly driver: Required<Omit<Driver, 'close'>>;
  /** True if fields that the specification does not list are failures. */
  readonly isStrict: boolean;
  /** True if the driver knows the service's time, so that times are compared to the millisecond. */
  readonly isExact: boolean;
  /** True if the account is new, so that its limits and endpoints are unused. */
  readonly isNewAccount: boolean;
  readonly origin: string;
  /** The path of the API's base address, such as `/api/v1`. */
  readonly basePath: string;

  /** Sends a request. If other checks share the account, waits after a 429 and sends it once more. */
  send(call: Call): Promise<Answer>;
  /** Sends a request whose response may be 429. */
  sendOnce(call: Call): Promise<Answer>;
  /** Creates a session, and fails the check unless the status is 201. */
  create(body?: object, key?: string): Promise<CreatedSession>;
  validate(sessionId: string, key?: string): Promise<Answer>;
  settle(session: CreatedSession, status: SettledStatus): Promise<void>;
  /** Returns the account's id, which any validate response contains. */
  tenantId(): Promise<string>;
  /**
   * Returns the service's time in milliseconds since the epoch. If the driver has no `now`, it is this
   * computer's time plus all moves.
   */
  now(): Promise<number>;
  /**
   * Returns a matcher for the ISO 8601 form of a time. It is exact if the driver knows the service's time.
   */
  at(timeMs: number): Matcher;
  /** Adds an endpoint at the kit's receiver, or returns the one that checks share. */
  hook(options?: HookOptions): Promise<Hook>;
  /** Returns a URL at the receiver, without adding an endpoint. */
  mailbox(): Promise<MailboxHook>;
  /**
   * Opens a page of the service in the browser.
   * @param locale The language of the browser. @default "en"
   */
  openPage(url: string, locale?: string): Promise<OpenPage>;
  /**
   * Opens the page of a new session, ends the session, and waits until the page goes back to the shop. A
   * second check with the same plan gets the same visit.
   */
  visit(plan: VisitPlan): Promise<Visit>;
  /** Ends the check by throwing. The report lists it as skipped, with this reason. */
  skip(reason: string): never;
}
