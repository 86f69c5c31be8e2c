import type { DoctorFinding, DoctorReport } from 'ofage-mock';
import { toCount } from '../../mock-server/words/counts.ts';

/** The overall state of an integration. */
export interface Verdict {
  readonly kind: 'problems' | 'warnings' | 'untried' | 'well' | 'nothing';
  readonly title: string;
  readonly text: string;
}

export function toVerdict({ findings, seen, untried }: DoctorReport): Verdict {
  const problems = findings.filter(({ severity }) => severity === 'problem').length;
  const warnings = findings.filter(({ severity }) => severity === 'warning').length;
  const nothing = findings.find(({ code }) => code === 'nothing_seen');
  if (nothing) {
    return {
      kind: 'nothing',
      title: nothing.title,
      text: 'Start a verification in your page. Then check again.',
    };
  }
  if (problems > 0) {
    return {
      kind: 'problems',
      title: `${toCount(problems, 'problem')} to fix${warnings > 0 ? ` · ${toCount(warnings, 'warning')}` : ''}`,
      text: 'A problem can give access to the wrong shopper or lose a result.',
    };
  }
  if (warnings > 0) {
    return {
      kind: 'warnings',
      title: toCount(warnings, 'warning'),
      text: 'A warning may become a problem when you go live.',
    };
  }
  if (untried.length > 0) {
    return {
      kind: 'untried',
      title: `${untried.length} not tried yet`,
      text: 'No mistakes were found in what your page and server have done so far.',
    };
  }
  // Unless the labs are included, `seen.deliveries` does not count the webhooks of the demo shop's own
  // endpoint.
  const webhooks = seen.deliveries === 0 ? '' : ` and ${toCount(seen.deliveries, 'webhook')}`;
  return {
    kind: 'well',
    title: 'No problems',
    text: `Nothing is wrong with ${toCount(seen.sessions, 'session')}${webhooks}.`,
  };
}

/** The names, headings and tones of the severities. The command line prints the same names in capitals. */
export const SEVERITIES = {
  problem: { name: 'problem', heading: 'Problems', tone: 'bad' },
  warning: { name: 'warning', heading: 'Warnings', tone: 'warn' },
  ok: { name: 'ok', heading: 'OK', tone: 'good' },
} as const;

interface SeverityGroup {
  readonly severity: DoctorFinding['severity'];
  readonly findings: readonly DoctorFinding[];
}

/** Groups the findings: problems, warnings, and checks that passed. */
export function bySeverity(findings: readonly DoctorFinding[]): readonly SeverityGroup[] {
  const severities = ['problem', 'warning', 'ok'] as const;
  return severities
    .map((severity) => ({
      severity,
      findings: findings.filter((finding) => finding.severity === severity),
    }))
    .filter((group) => group.findings.length > 0);
}
