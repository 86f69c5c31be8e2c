import { DOCS_URL } from '../../brand.ts';
import type { DoctorReport } from '../../control/doctor.ts';
import type { DoctorFinding, DoctorSeverity } from '../../doctor/finding.ts';
import { ANY_TENANT, findTenantId } from '../accounts.ts';
import { requireArguments, textOf, type Command } from '../command.ts';
import { readInstant, toShort } from '../moments.ts';
import type { Paint } from '../printer.ts';
import { toPrintable } from '../table.ts';
import { wrap } from '../wrap.ts';

export const doctor: Command = {
  name: 'doctor',
  takes: '',
  summary: 'find mistakes in an integration, and how to fix them',
  action: 'examine the integration',
  details: [
    'Examines the traffic that the mock received, so use your integration first.',
    'Problems come first. The exit code is 1 if there is a problem, 0 otherwise.',
  ].join('\n'),
  options: {
    session: { type: 'string', value: 'ID', text: 'only this session' },
    tenant: ANY_TENANT,
    since: { type: 'string', value: 'TIME', text: 'only sessions and requests from this time on' },
    labs: {
      type: 'boolean',
      text: "also examine the playground's labs and the demo shop's endpoint",
    },
  },
  read(words, values) {
    requireArguments('doctor', [], words);
    const sessionId = textOf(values, 'session');
    const sinceText = textOf(values, 'since');
    const since = sinceText === undefined ? undefined : readInstant(sinceText);
    const labs = values['labs'] === true || undefined;
    return async (mock, print) => {
      const tenantId = await findTenantId(mock, textOf(values, 'tenant'));
      const report = await mock.doctor({ tenantId, sessionId, since, labs });
      print.text(report, (paint) => toLines(report, paint));
      return report.findings.some(({ severity }) => severity === 'problem') ? 1 : 0;
    };
  },
};

const COLUMNS = 80;

const COLOURS = { problem: 'red', warning: 'yellow', ok: 'green' } as const satisfies Record<
  DoctorSeverity,
  string
>;

function toLines({ seen, findings }: DoctorReport, paint: Paint): string[] {
  const number = (severity: DoctorSeverity): number =>
    findings.filter((finding) => finding.severity === severity).length;
  const counts = [count(number('problem'), 'problem'), count(number('warning'), 'warning')];
  const examined = [
    count(seen.requests, 'request'),
    count(seen.sessions, 'session'),
    count(seen.deliveries, 'webhook'),
  ];
  const since = seen.since === null ? '' : ` since ${toShort(seen.since)} UTC`;
  const forgotten =
    seen.forgottenRequests === 0
      ? ''
      : `; ${count(seen.forgottenRequests, 'older request')} no longer stored`;
  const labs =
    seen.labSessions === 0 ? '' : `; ${count(seen.labSessions, 'session')} of the labs left out`;
  return [
    ...findings.flatMap((finding) => [...toBlock(finding, paint), '']),
    paint('dim', `${counts.join(', ')} in ${examined.join(', ')}${since}${forgotten}${labs}`),
  ];
}

function toBlock(
  { code, severity, title, detail, why, advice }: DoctorFinding,
  paint: Paint,
): string[] {
  return [
    `${paint('bold', paint(COLOURS[severity], severity.toUpperCase()))}  ${toPrintable(title)} ${paint('dim', `(${code})`)}`,
    ...toParagraph('Seen', detail, paint),
    ...toParagraph('Why', why, paint),
    ...toParagraph('Do', advice, paint),
    ...toParagraph('Read', `${DOCS_URL}findings/${code}/`, paint),
  ];
}

function toParagraph(label: string, text: string, paint: Paint): string[] {
  const [first, ...rest] = wrap(toPrintable(text), COLUMNS - INDENT);
  return [
    paint('dim', `  ${label}`.padEnd(INDENT)) + first,
    ...rest.map((line) => ' '.repeat(INDENT) + line),
  ];
}

const INDENT = 8;

function count(n: number, noun: string): string {
  return `${n} ${noun}${n === 1 ? '' : 's'}`;
}
