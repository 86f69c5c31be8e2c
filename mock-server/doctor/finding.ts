import type { Records } from './records.ts';

/**
 * Severity of a finding. A `problem` makes the integration unsafe, or keeps part of it from working. A
 * `warning` may cause a failure later. `ok` means that there is nothing to fix.
 */
export type DoctorSeverity = 'problem' | 'warning' | 'ok';

/** The codes of the doctor's findings. docs/guides/doctor.md has the cause and the fix of each. */
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
  kind: 'request' | 'session' | 'delivery' | 'endpoint' | 'observation';
  /** The record's id in the control API. For a legacy webhook it is the account's id. */
  id: string;
  at: string;
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

/** Evidence as a check returns it. */
export interface Proof extends DoctorEvidence {
  /** What the evidence is about, such as the operation of a call or the URL of a receiver. */
  subject: string;
}

/** The time at which traffic about a subject passed a check. */
export interface Pass {
  readonly subject: string;
  /** Milliseconds since the epoch. `Infinity` if a setting has changed so that the check passes now. */
  readonly atMs: number;
}

export interface Check {
  readonly why: string;
  /** Returns the finding's details, or null if there is nothing to report. */
  examine(records: Records): Diagnosis | null;
  /**
   * Lists the traffic of the same kind that passed the check, also from before the mistake. A finding counts
   * as earlier if each of its subjects passed after the newest evidence about it. A check without this
   * method is about settings or a statistic, so its finding disappears by itself.
   */
  passes?(records: Records): Pass[];
}

/**
 * The variable part of a finding. Its code and reason belong to the check. Its evidence is not limited in
 * length.
 */
export interface Diagnosis extends Omit<DoctorFinding, 'code' | 'why' | 'lastSeenAt' | 'evidence'> {
  readonly evidence: readonly Proof[];
}
