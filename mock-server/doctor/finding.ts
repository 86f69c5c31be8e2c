import type { DoctorEvidence, DoctorFinding } from '../api/doctor.ts';
import type { Records } from './records.ts';

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
