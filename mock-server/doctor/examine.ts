import { accessChecks } from './access-checks.ts';
import { deliveryChecks } from './delivery-checks.ts';
import { endpointChecks } from './endpoint-checks.ts';
import type {
  Check,
  DoctorCode,
  DoctorEvidence,
  DoctorFinding,
  DoctorSeverity,
} from './finding.ts';
import { keyChecks } from './key-checks.ts';
import { requestChecks } from './request-checks.ts';
import { resultChecks } from './result-checks.ts';
import type { Records } from './records.ts';
import { sessionChecks } from './session-checks.ts';
import { count } from './format.ts';

/** All checks, in the order of the guide. */
const CHECKS: Readonly<Record<Exclude<DoctorCode, keyof typeof VERDICTS>, Check>> = {
  ...accessChecks,
  ...resultChecks,
  ...sessionChecks,
  ...keyChecks,
  ...requestChecks,
  ...endpointChecks,
  ...deliveryChecks,
};

/**
 * Finds mistakes in an integration from the records of the service. Problems come first, then warnings. If
 * there are none, or no records to examine, a single finding says so.
 */
export function examine(records: Records): DoctorFinding[] {
  const isSomethingSeen =
    records.calls.length + records.sessions.length + records.deliveries.length > 0;
  if (!isSomethingSeen) return [toVerdict('nothing_seen', records)];
  const findings = Object.entries(CHECKS).flatMap(([code, { why, examine: runCheck }]) => {
    const diagnosis = runCheck(records);
    if (!diagnosis) return [];
    const evidence = diagnosis.evidence.toSorted(byTime).slice(-MAX_EVIDENCE);
    // The cast is needed, because Object.entries loses the type of the keys.
    return [{ code: code as DoctorCode, ...diagnosis, why, evidence }];
  });
  if (findings.length === 0) return [toVerdict('all_well', records)];
  return findings.sort((a, b) => RANKS[a.severity] - RANKS[b.severity]);
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
const byTime = (a: DoctorEvidence, b: DoctorEvidence): number =>
  a.at === b.at ? 0 : a.at < b.at ? -1 : 1;

const RANKS: Readonly<Record<DoctorSeverity, number>> = { problem: 0, warning: 1, ok: 2 };

/** The findings for a service without traffic and for an integration without mistakes. */
const VERDICTS = {
  nothing_seen: {
    severity: 'warning',
    title: 'No traffic yet',
    advice:
      'Create a session: open the demo shop, run "ofage-mock trigger verified", or point your server at the mock’s API base with its secret key. Then run the doctor again.',
    why: 'The doctor examines the traffic of your integration, and there was none.',
  },
  all_well: {
    severity: 'ok',
    title: 'No mistakes found',
    advice:
      'Test failures as well: a failed, a cancelled and an expired session, and a receiver that is down. The doctor can only examine what was tested.',
    why: 'An integration is only as reliable as the cases that were tested.',
  },
} as const;

function toVerdict(code: keyof typeof VERDICTS, records: Records): DoctorFinding {
  const validated = records.sessions.filter(({ validatedAt }) => validatedAt !== null).length;
  const detail =
    code === 'nothing_seen'
      ? 'No request, no session and no webhook.'
      : `${count(records.sessions.length, 'session')} (${validated} validated); ${count(records.calls.length, 'request')}; ${count(records.deliveries.length, 'webhook')}.`;
  return { code, detail, evidence: [], ...VERDICTS[code] };
}
