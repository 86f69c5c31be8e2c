import type { ControlClient } from '../../api/client.ts';
import type {
  DoctorFinding,
  DoctorReport,
  DoctorSeverity,
  DoctorUntried,
} from '../../api/doctor.ts';
import { duration, some } from '../../doctor/format.ts';
import { HELP_PATH } from '../../help/help-page.ts';
import { toCommandLine } from '../../words/command-line.ts';
import { toCount } from '../../words/counts.ts';
import { ANY_TENANT, findTenantId } from '../accounts.ts';
import { type Command, requireArguments, textOf } from '../command.ts';
import { toPrintable } from '../../store/safe-text.ts';
import { wrap } from '../printer.ts';
import { type Line, paint, type Styled } from '../terminal.ts';
import { formatTime } from '../../words/times.ts';
import { parseDuration, readInstant } from '../times.ts';

export const doctor: Command = {
  name: 'doctor',
  takes: '',
  summary: 'find mistakes in an integration, and how to fix them',
  action: 'examine the integration',
  details: [
    'Examines the traffic that the mock received, so use your integration first.',
    'Problems come first. The exit code is 1 if there is a problem, 0 otherwise. A finding that later',
    'traffic no longer shows comes last, as EARLIER, and does not count. Neither does what has not been',
    'tried yet.',
  ].join('\n'),
  options: {
    session: { type: 'string', value: 'ID', text: 'only this session' },
    tenant: ANY_TENANT,
    since: {
      type: 'string',
      value: 'TIME',
      text: 'only traffic since then: a date, an instant, or 5m for 5 minutes ago',
    },
    labs: {
      type: 'boolean',
      text: "also examine the playground's labs and the demo shop's endpoint",
    },
  },
  read(words, values) {
    requireArguments('doctor', [], words);
    const sessionId = textOf(values, 'session');
    const sinceText = textOf(values, 'since');
    const readSince = sinceText === undefined ? undefined : parseSince(sinceText);
    const labs = values['labs'] === true || undefined;
    return async (mock, print) => {
      const tenantId = await findTenantId(mock, textOf(values, 'tenant'));
      const since = await readSince?.(mock);
      const report = await mock.doctor({ tenantId, sessionId, since, labs });
      print.text(report, () => toLines(report, mock.origin));
      return report.findings.some(({ severity }) => severity === 'problem') ? 1 : 0;
    };
  },
};

/**
 * Parses a date, an instant, or a duration before the present of the mock's clock.
 * @returns a function that returns the instant as ISO 8601
 * @throws {RangeError} with a readable message
 */
function parseSince(text: string): (mock: ControlClient) => Promise<string> {
  if (!/^(\d+[a-z]+)+$/.test(text)) {
    const instant = readInstant(text);
    return () => Promise.resolve(instant);
  }
  const ms = parseDuration(text);
  return async (mock) => {
    const { clock } = await mock.state();
    return new Date(Math.max(0, Date.parse(clock.now) - ms)).toISOString();
  };
}

const COLUMNS = 80;

const COLOURS = { problem: 'red', warning: 'yellow', ok: 'green' } as const satisfies Record<
  DoctorSeverity,
  string
>;

/** What all blocks of a report have in common. */
interface Frame {
  readonly checkedAt: string;
  /** The mock's origin, where each finding has a page. */
  readonly origin: string;
}

function toLines(report: DoctorReport, origin: string): Line[] {
  const { checkedAt, seen, findings, earlier, untried } = report;
  const frame = { checkedAt, origin };
  const number = (severity: DoctorSeverity): number =>
    findings.filter((finding) => finding.severity === severity).length;
  const counts = [toCount(number('problem'), 'problem'), toCount(number('warning'), 'warning')];
  if (earlier.length > 0) counts.push(`${earlier.length} earlier`);
  if (untried.length > 0) counts.push(`${untried.length} not tried`);
  const examined = [
    toCount(seen.requests, 'request'),
    toCount(seen.sessions, 'session'),
    toCount(seen.deliveries, 'webhook'),
  ];
  const since = seen.since === null ? '' : ` since ${formatTime(seen.since)}`;
  const forgotten =
    seen.forgottenRequests === 0
      ? ''
      : `; ${toCount(seen.forgottenRequests, 'older request')} no longer stored`;
  const labs =
    seen.labSessions === 0 ? '' : `; ${toCount(seen.labSessions, 'session')} of the labs left out`;
  return [
    ...findings.flatMap((finding) => {
      const { severity } = finding;
      // Green would say more than is known while something has not been tried.
      const colour = severity === 'ok' && untried.length > 0 ? 'dim' : COLOURS[severity];
      const label = paint(['bold', colour], severity.toUpperCase());
      return [...toBlock(label, finding, frame), ''];
    }),
    ...earlier.flatMap((finding) => [...toBlock(paint('bold', 'EARLIER'), finding, frame), '']),
    ...toUntriedLines(untried, origin),
    [paint('dim', `${counts.join(', ')} in ${examined.join(', ')}${since}${forgotten}${labs}`)],
  ];
}

function toBlock(label: Styled, finding: DoctorFinding, frame: Frame): Line[] {
  const { checkedAt, origin } = frame;
  const { code, title, detail, why, advice, lastSeenAt, evidence } = finding;
  const last = lastSeenAt === null ? '' : ` Last seen ${toAge(lastSeenAt, checkedAt)}.`;
  const newest = evidence.map(({ text }) => text).toReversed();
  return [
    [label, `  ${title} `, paint('dim', `(${code})`)],
    ...toParagraph('Seen', `${detail}${last}`),
    ...(newest.length === 0 ? [] : toParagraph('Proof', some(newest))),
    ...toParagraph('Why', why),
    ...toParagraph('Do', advice),
    ...toParagraph('Read', `${origin}${HELP_PATH}${code}`),
  ];
}

function toUntriedLines(untried: readonly DoctorUntried[], origin: string): Line[] {
  if (untried.length === 0) return [];
  return [
    [paint('bold', 'NOT TRIED YET')],
    ...untried.flatMap(({ code, title, advice, command, url }): Line[] => [
      ['  ', title, paint('dim', ` (${code})`)],
      ...toParagraph('Do', advice),
      ...(command === null ? [] : [toCopyable('Run', toCommandLine(command, origin))]),
      ...(url === null ? [] : [toCopyable('Open', url)]),
    ]),
    '',
  ];
}

/** Returns a line that is not wrapped, so that its text can be copied. */
function toCopyable(label: string, text: string): Line {
  return [paint('dim', `  ${label}`.padEnd(INDENT)), toPrintable(text)];
}

function toAge(at: string, now: string): string {
  const ms = Date.parse(now) - Date.parse(at);
  return ms < 1_000 ? 'now' : `${duration(ms)} ago`;
}

function toParagraph(label: string, text: string): Line[] {
  const [first, ...rest] = wrap(toPrintable(text), COLUMNS - INDENT);
  return [
    [paint('dim', `  ${label}`.padEnd(INDENT)), first ?? ''],
    ...rest.map((line) => ' '.repeat(INDENT) + line),
  ];
}

const INDENT = 8;
