import type { Records } from './records.ts';

/** `problem` lets people in who should not be, or loses results; `warning` will hurt one day; `ok` is well. */
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

/** Something that the service saw, by which a finding can be checked. */
export interface DoctorEvidence {
  kind: 'request' | 'session' | 'delivery' | 'endpoint' | 'observation';
  /** The id under which the control surface knows it; that of a legacy webhook is its account's. */
  id: string;
  at: string;
}

export interface DoctorFinding {
  code: DoctorCode;
  severity: DoctorSeverity;
  /** One sentence. */
  title: string;
  /** The observed facts, with figures and ids. */
  detail: string;
  /** The reason why it matters. */
  why: string;
  /** The fix. */
  advice: string;
  /** The newest of what it was seen by, at most 20. */
  evidence: DoctorEvidence[];
}

/** One thing to look for. */
export interface Check {
  readonly why: string;
  /** Returns the finding's details, or null if there is nothing to report. */
  examine(records: Records): Diagnosis | null;
}

/** A finding without what stands with its check. Evidence is oldest first, and may be long. */
export type Diagnosis = Omit<DoctorFinding, 'code' | 'why'>;
