import type { ObservationKind } from '../store/observations.ts';
import type { ScenarioName } from './scenarios.ts';

/** An action on the merchant's side, reported by the merchant's code. */
export interface ObservationInput {
  /**
   * `access_granted`: the shopper got access to the restricted product. `url_status_trusted`: the status in
   * the return URL was used. `webhook_processed`: an event was handled.
   */
  kind: ObservationKind;
  sessionId: string;
  /** The handled event. Required for `webhook_processed`. */
  eventId?: string | null;
  /**
   * Time of the action, as an ISO 8601 date, or a date and time with its zone. @default now, by the
   * service's clock
   */
  at?: string | null;
  /** The reporter, at most 100 characters, for example `return page`. */
  by?: string | null;
}

/** A report of the merchant's code to the doctor. */
export interface ObservationResource {
  /** A number that counts up from 1, and starts again after a reset. */
  id: number;
  at: string;
  kind: ObservationKind;
  tenantId: string;
  sessionId: string;
  eventId: string | null;
  by: string | null;
}

/**
 * Severity of a finding. A `problem` makes the integration unsafe, or keeps part of it from working. A
 * `warning` may cause a failure later. `ok` means that there is nothing to fix.
 */
export type DoctorSeverity = 'problem' | 'warning' | 'ok';

/** The codes of the doctor's findings. docs/errors.md has the cause and the fix of each. */
export type DoctorCode =
  | 'nothing_seen'
  | 'access_not_verified'
  | 'access_before_result'
  | 'url_status_trusted'
  | 'event_processed_twice'
  | 'result_never_asked'
  | 'result_by_webhook_alone'
  | 'result_asked_too_early'
  | 'result_asked_too_late'
  | 'result_asked_twice'
  | 'session_token_sent'
  | 'session_of_another_account'
  | 'session_unknown'
  | 'verify_on_load'
  | 'verify_outside_click'
  | 'forged_return_unasked'
  | 'secret_key_in_browser'
  | 'publishable_key_to_validate'
  | 'key_missing'
  | 'key_refused'
  | 'policy_with_publishable_key'
  | 'return_url_not_allowed'
  | 'request_invalid'
  | 'path_unknown'
  | 'rate_limited'
  | 'launch_unavailable'
  | 'user_missing'
  | 'webhook_missing'
  | 'webhook_unsigned'
  | 'webhook_not_https'
  | 'webhook_not_public'
  | 'webhook_paused'
  | 'webhook_rejected'
  | 'webhook_unreachable'
  | 'webhook_timeout'
  | 'webhook_slow'
  | 'webhook_redirected'
  | 'webhook_repeated'
  | 'all_well';

/** A record of the service that proves a finding. */
export interface DoctorEvidence {
  kind: 'request' | 'session' | 'delivery' | 'endpoint' | 'observation' | 'report';
  /** The record's id in the control API. For a legacy webhook it is the account's id. */
  id: string;
  at: string;
  /** The record in a few words, for example `POST /api/v1/sessions/validate → 400`. */
  text: string;
  /**
   * The session that the record names, or null if it names none. A refused request may name a session that
   * does not exist.
   */
  sessionId: string | null;
}

/** A mistake or a risk in the integration, or the result that there is none. */
export interface DoctorFinding {
  code: DoctorCode;
  severity: DoctorSeverity;
  /** The problem in one sentence. */
  title: string;
  /** The observed facts, with figures and ids. */
  detail: string;
  /** The reason why it matters. */
  why: string;
  /** The fix. */
  advice: string;
  /**
   * The time of the newest evidence. For a finding about a setting it is the time of the report, because the
   * setting still exists. Null if there is nothing to fix.
   */
  lastSeenAt: string | null;
  /** The newest records that prove the finding, at most 20. */
  evidence: DoctorEvidence[];
}

/** The codes of what an integration should try. The guide "Fix problems" lists them. */
export type DoctorUntriedCode =
  | 'key_unused'
  | 'page_unused'
  | 'result_unasked'
  | 'webhook_unreceived'
  | 'verified_untried'
  | 'failed_untried'
  | 'cancelled_untried'
  | 'expired_untried'
  | 'forged_return_untried';

/** Something that has not happened in the examined traffic, so that nothing is known about it. */
export interface DoctorUntried {
  code: DoctorUntriedCode;
  /** Says what has not happened yet. */
  title: string;
  /** Says how to try it. */
  advice: string;
  /** The command that tries it or prepares it. Null if only the page or the server can. */
  command: string | null;
  /** The outcome for `queueNextOutcomes` with which the next session tries it. Null if no outcome does. */
  outcome: ScenarioName | null;
  /** The address to open in a browser, which tries it. Null if there is none at the moment. */
  url: string | null;
}

/** The traffic that the doctor examines. */
export interface DoctorFilter {
  /**
   * Examines only this account. Requests with an unknown key, or without one, belong to no account, so this
   * filter does not exclude them.
   */
  tenantId?: string | undefined;
  /** Examines only this session and the configuration of its account. */
  sessionId?: string | undefined;
  /**
   * Leaves out sessions, requests and observations from before this time, and all records about those
   * sessions. ISO 8601, by the mock's clock. Ignored if `sessionId` is set.
   * @default everything that is stored
   */
  since?: string | undefined;
  /**
   * Includes the labs of the playground, which make mistakes on purpose, and the demo shop's own endpoint.
   * If `sessionId` is set, both are always examined.
   * @default false
   */
  labs?: boolean | undefined;
}

/** The doctor's findings, and how much traffic they are based on. */
export interface DoctorReport {
  checkedAt: string;
  /** The amount of data behind the findings. */
  seen: {
    /** Number of requests to the API. */
    requests: number;
    sessions: number;
    deliveries: number;
    observations: number;
    /** Time of the oldest examined record, or null if there are none. */
    since: string | null;
    /** Number of older API requests that are no longer stored, and therefore not examined. */
    forgottenRequests: number;
    /** Number of sessions that were left out because they belong to the labs of the playground. */
    labSessions: number;
  };
  /** Problems first, then warnings. If there are none, a single finding with severity `ok`. */
  findings: DoctorFinding[];
  /**
   * The findings that probably no longer hold: later traffic of the same kind passed the check, or the
   * setting concerned has changed.
   */
  earlier: DoctorFinding[];
  /**
   * What has not happened yet in the examined traffic. Sessions of `trigger` and of the console do not
   * count. Empty for the report about one session.
   */
  untried: DoctorUntried[];
}

/** The methods of the doctor, which finds mistakes in an integration. */
export interface Doctor {
  /**
   * Reports mistakes in an integration. Examines the last 500 requests to the API, the last 100 of no known
   * account, the newest 1,000 sessions and deliveries, and the reported observations. Leaves out requests
   * without a known key from pages that are neither on this computer nor in an allowed domain.
   */
  doctor(filter?: DoctorFilter): Promise<DoctorReport>;
  /** Reports an action on the merchant's side, which the service itself cannot see. */
  addObservation(input: ObservationInput): Promise<ObservationResource>;
  /** Lists the last 500 observations, oldest first. */
  observations(): Promise<ObservationResource[]>;
}
