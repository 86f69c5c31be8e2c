import type {
  DoctorCode,
  DoctorEvidence,
  DoctorFinding,
  DoctorSeverity,
  DoctorUntried,
} from '../api/doctor.ts';
import { accessChecks } from './access-checks.ts';
import { deliveryChecks } from './delivery-checks.ts';
import { endpointChecks } from './endpoint-checks.ts';
import { type Diagnosis, type DoctorCheck, isLater, type Pass, type Proof } from './finding.ts';
import { some } from './format.ts';
import { toCount } from '../words/counts.ts';
import { formatTime } from '../words/times.ts';
import { keyChecks } from './key-checks.ts';
import { pageChecks } from './page-checks.ts';
import type { Records } from './records.ts';
import { requestChecks } from './request-checks.ts';
import { resultChecks } from './result-checks.ts';
import { sessionChecks } from './session-checks.ts';
import { findUntried } from './untried.ts';

/** All checks, in the order of the guide. */
const CHECKS: Readonly<Record<Exclude<DoctorCode, keyof typeof VERDICTS>, DoctorCheck>> = {
  ...accessChecks,
  ...resultChecks,
  ...sessionChecks,
  ...pageChecks,
  ...keyChecks,
  ...requestChecks,
  ...endpointChecks,
  ...deliveryChecks,
};

/**
 * The findings that still hold, those that later traffic or a changed setting has disproved, and what has not
 * been tried.
 */
interface Examination {
  readonly findings: DoctorFinding[];
  readonly earlier: DoctorFinding[];
  readonly untried: DoctorUntried[];
}

/**
 * Finds mistakes in an integration from the records of the service. Problems come first, then warnings. If
 * no finding still holds, or there are no records to examine, a single finding says so.
 */
export function examine(records: Records): Examination {
  const isSomethingSeen =
    records.calls.length +
      records.sessions.length +
      records.deliveries.length +
      records.reports.length >
    0;
  const untried = findUntried(records);
  if (!isSomethingSeen) return { findings: [toNothingSeen(records)], earlier: [], untried };
  const findings: DoctorFinding[] = [];
  const earlier: DoctorFinding[] = [];
  for (const [code, check] of Object.entries<DoctorCheck>(CHECKS)) {
    const diagnosis = check.examine(records);
    if (!diagnosis) continue;
    const list = isEarlier(diagnosis.evidence, check.passes?.(records) ?? []) ? earlier : findings;
    // The cast is needed, because Object.entries loses the type of the keys.
    list.push(toFinding(code as DoctorCode, check, diagnosis, records.nowMs));
  }
  if (findings.length === 0) findings.push(toVerdict('all_well', records));
  for (const list of [findings, earlier])
    list.sort((a, b) => RANKS[a.severity] - RANKS[b.severity]);
  return { findings, earlier, untried };
}

function toFinding(
  code: DoctorCode,
  { why }: DoctorCheck,
  diagnosis: Diagnosis,
  nowMs: number,
): DoctorFinding {
  const evidence = diagnosis.evidence
    .map(({ kind, id, at, text, sessionId }) => ({ kind, id, at, text, sessionId }))
    .sort(byTime)
    .slice(-MAX_EVIDENCE);
  // A finding about an endpoint, or about a missing one, still holds.
  const last = evidence.findLast(({ kind }) => kind !== 'endpoint');
  const lastSeenAt = last?.at ?? new Date(nowMs).toISOString();
  return { code, ...diagnosis, why, lastSeenAt, evidence };
}

/** Tells whether each subject of the evidence passed the check after its newest evidence. */
function isEarlier(evidence: readonly Proof[], passes: readonly Pass[]): boolean {
  const bySubject = new Map<string, Pass[]>();
  for (const pass of passes)
    bySubject.set(pass.subject, [...(bySubject.get(pass.subject) ?? []), pass]);
  return (
    evidence.length > 0 &&
    evidence.every((proof) => bySubject.get(proof.subject)?.some((pass) => isLater(pass, proof)))
  );
}

/** Every code, in the order of the guide. */
export const DOCTOR_CODES: readonly DoctorCode[] = [
  'nothing_seen',
  // The cast is needed, because Object.keys loses the type of the keys.
  ...(Object.keys(CHECKS) as (keyof typeof CHECKS)[]),
  'all_well',
];

const MAX_EVIDENCE = 20;

/** Compares by `at`, whose texts sort by time. */
function byTime(a: DoctorEvidence, b: DoctorEvidence): number {
  if (a.at === b.at) return 0;
  return a.at < b.at ? -1 : 1;
}

const RANKS: Readonly<Record<DoctorSeverity, number>> = { problem: 0, warning: 1, ok: 2 };

/** The findings for a service without traffic and for an integration without mistakes. */
const VERDICTS = {
  nothing_seen: {
    severity: 'warning',
    title: 'No traffic yet',
    advice:
      'Create a session: start a verification in your page, run "ofage-mock trigger verified", or point your server at the mock’s API base with its secret key. Then run the doctor again.',
    why: 'The doctor examines the traffic of your integration, and there was none.',
  },
  all_well: {
    severity: 'ok',
    title: 'No mistakes found in what was tried',
    advice:
      'Try what the report lists as not tried yet, and a receiver that is down. The doctor can only examine what was tested.',
    why: 'An integration is only as reliable as the cases that were tested.',
  },
} as const;

function toNothingSeen(records: Records): DoctorFinding {
  const { since } = records;
  const finding = toVerdict('nothing_seen', records);
  if (since === null || since.lastBeforeAt === null) return finding;
  const last = `The last was at ${formatTime(since.lastBeforeAt)}.`;
  return {
    ...finding,
    title: 'No traffic in this time',
    detail: `No request, no session and no webhook since ${formatTime(since.at)}. ${last}${describeForeignCalls(records)}`,
    advice: 'Start a verification in your page, or examine the traffic since an earlier time.',
    why: 'The doctor examines the traffic of your integration, and there was none in this time.',
  };
}

function toVerdict(code: keyof typeof VERDICTS, records: Records): DoctorFinding {
  const validated = records.sessions.filter(({ validatedAt }) => validatedAt !== null).length;
  const seen =
    code === 'nothing_seen'
      ? 'No request, no session and no webhook.'
      : `${toCount(records.sessions.length, 'session')} (${validated} validated); ${toCount(records.calls.length, 'request')}; ${toCount(records.deliveries.length, 'webhook')}.`;
  const detail = seen + describeForeignCalls(records);
  return { code, detail, lastSeenAt: null, evidence: [], ...VERDICTS[code] };
}

/** Says how a page whose requests were left out becomes a part of the integration. */
function describeForeignCalls({ foreignCalls }: Records): string {
  if (foreignCalls.length === 0) return '';
  const origins = foreignCalls.map(({ origin }) => origin ?? 'a page that sends no origin');
  return ` Left out: ${toCount(foreignCalls.length, 'request')} without a known key from pages of other sites (${some(origins)}). If such a page is yours, add its host to the account’s allowed domains (Settings on the console).`;
}
