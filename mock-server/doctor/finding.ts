import type { DoctorEvidence, DoctorFinding, ObservationResource } from '../api/doctor.ts';
import { describeReport, type ReportResource } from '../api/reports.ts';
import type { SessionResource } from '../api/sessions.ts';
import type { Call } from './calls.ts';
import type { Hook, Records } from './records.ts';

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
  /** The record that passed. While the clock is frozen, its number says whether it came later. */
  readonly record?: Pick<DoctorEvidence, 'kind' | 'id'>;
}

export interface DoctorCheck {
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

// Functions that convert records to references, which serve as evidence of a finding or as proof that later
// traffic passed.

export function toCallEvidence(call: Call): Proof {
  const { id, at, method, path, status, sessionId, operation } = call;
  const text = `${method} ${path} → ${status}`;
  return { kind: 'request', id, at, text, sessionId, subject: operation ?? UNKNOWN_PATH };
}

/** All unknown paths are one subject, because a mended client no longer calls any of them. */
const UNKNOWN_PATH = 'path';

export function toSessionEvidence(session: SessionResource): Proof {
  const { id, createdAt, settledAt, externalUserId } = session;
  const user = externalUserId === null ? '' : ` of ${externalUserId}`;
  const text = `session ${id.slice(0, 8)}${user}`;
  const at = settledAt ?? createdAt;
  return { kind: 'session', id, at, text, sessionId: id, subject: 'session' };
}

export function toHookEvidence({ id, createdAt, health, url }: Hook): Proof {
  const at = health.pausedAt ?? createdAt;
  return { kind: 'endpoint', id, at, text: url, sessionId: null, subject: id };
}

export function toObservationEvidence(observation: ObservationResource): Proof {
  const { id, at, kind, by, sessionId } = observation;
  const text = kind.replaceAll('_', ' ') + (by === null ? '' : `, reported by ${by}`);
  return { kind: 'observation', id: String(id), at, text, sessionId, subject: by ?? '' };
}

/** A page shows with its next call that it was mended. */
export function toReportEvidence(report: ReportResource): Proof {
  const { id, at, sessionId, pageUrl } = report;
  const text = `${describeReport(report)} at ${pageUrl}`;
  return { kind: 'report', id: String(id), at, text, sessionId, subject: pageUrl };
}

export function toPass({ subject, at, kind, id }: Proof): Pass {
  return { subject, atMs: Date.parse(at), record: { kind, id } };
}

/** Tells whether a record passed a check after the evidence. */
export function isLater({ atMs, record }: Pass, { at, kind, id }: Proof): boolean {
  const evidenceMs = Date.parse(at);
  if (atMs !== evidenceMs) return atMs > evidenceMs;
  return record?.kind === kind && NUMBERED.has(kind) && Number(record.id) > Number(id);
}

/** The kinds of records whose ids count up. */
const NUMBERED: ReadonlySet<string> = new Set(['request', 'observation', 'report']);

export function acceptedCalls({ calls }: Pick<Records, 'calls'>): Call[] {
  return calls.filter(({ status }) => status < 400);
}

export function passAccepted(records: Records): Pass[] {
  return passCalls(acceptedCalls(records));
}

/** A call also shows that its client knows the API's paths. */
export function passCalls(calls: readonly Call[]): Pass[] {
  return calls.flatMap((call) => {
    const pass = toPass(toCallEvidence(call));
    return [pass, { ...pass, subject: UNKNOWN_PATH }];
  });
}

/** Returns the calls to validate that returned a result. */
export function passResults(records: Records): Pass[] {
  return acceptedCalls(records)
    .filter(({ operation, answer }) => operation === 'validate' && answer['status'] !== 'pending')
    .map(toCallEvidence)
    .map(toPass);
}
