import type { DoctorFinding, DoctorReport } from 'ofage/mock';
import { toCount } from '../shared/to-count.ts';

/** The overall state of an integration. */
export interface Verdict {
  readonly kind: 'problems' | 'warnings' | 'well' | 'nothing';
  readonly title: string;
  readonly text: string;
}

export function toVerdict({ findings, seen }: DoctorReport): Verdict {
  const problems = findings.filter(({ severity }) => severity === 'problem').length;
  const warnings = findings.filter(({ severity }) => severity === 'warning').length;
  if (findings.some(({ code }) => code === 'nothing_seen')) {
    return {
      kind: 'nothing',
      title: 'No traffic yet',
      text: 'Buy something in the demo shop, or point your own at this mock, and come back.',
    };
  }
  if (problems > 0) {
    return {
      kind: 'problems',
      title: `${toCount(problems, 'problem')} to mend`,
      text: `They let people in who should not be, or lose results.${warnings > 0 ? ` And ${toCount(warnings, 'thing')} to look at.` : ''}`,
    };
  }
  if (warnings > 0) {
    return {
      kind: 'warnings',
      title: 'No problems',
      text: `${toCount(warnings, 'thing')} to look at before you go live.`,
    };
  }
  return {
    kind: 'well',
    title: 'All clear',
    text: `Nothing is wrong with ${toCount(seen.sessions, 'session')} and ${toCount(seen.deliveries, 'webhook')}.`,
  };
}

/** Groups the findings: problems, warnings, and checks that passed. */
export function bySeverity(findings: readonly DoctorFinding[]): readonly {
  readonly severity: DoctorFinding['severity'];
  readonly name: string;
  readonly findings: readonly DoctorFinding[];
}[] {
  const groups = [
    { severity: 'problem', name: 'Problems' },
    { severity: 'warning', name: 'To look at' },
    { severity: 'ok', name: 'Well' },
  ] as const;
  return groups
    .map((group) => ({
      ...group,
      findings: findings.filter(({ severity }) => severity === group.severity),
    }))
    .filter((group) => group.findings.length > 0);
}
