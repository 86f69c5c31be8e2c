import type { AddedEndpoint, Driver } from './driver.ts';
import type { Inbox, Mailbox } from './inbox.ts';
import type { Contexts } from './pages/contexts.ts';
import type { SharedVisit, VisitPlan } from './pages/visit.ts';
import type { WorldAccount } from './world.ts';

/** The parts of a run that all its checks share. */
export interface Setting {
  readonly apiBase: URL;
  readonly driver: Driver;
  /** Returns the time by which a driver without `now` has moved the service's clock. */
  readonly aheadMs: () => number;
  readonly inbox: () => Promise<Inbox>;
  /** The contexts of the browser, if there is one. */
  readonly contexts: Contexts | undefined;
  /** The verifications in the browser that checks share. */
  readonly visits: Map<VisitPlan, Promise<SharedVisit>>;
  /** The account whose keys were passed to `createKit`. */
  readonly account: WorldAccount;
  readonly isStrict: boolean;
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
  /** The maximum time to wait for a webhook that is due, in milliseconds. */
  readonly patienceMs: number;
  /** The maximum time to wait for a response of the API, in milliseconds. */
  readonly responseMs: number;
  /** The last request that got a response, and its check, for the report of a service that stops. */
  lastAnswered?: string;
  /** The id of `account`, once a check has needed it. */
  tenantId?: Promise<string>;
  /** The endpoint that checks share if the driver can neither create accounts nor remove endpoints. */
  shared?: { readonly endpoint: AddedEndpoint; readonly mailbox: Mailbox };
}
