import { toSummaryLine, type Report } from '../report.ts';

/**
 * Formats the results for a TAP consumer.
 * @see https://testanything.org/tap-version-14-specification.html
 */
export function toTap(report: Report): string {
  const { results } = report;
  return [
    'TAP version 14',
    `1..${results.length}`,
    ...results.flatMap(({ id, sentence, status, reason, failure }, index) => [
      `${status === 'failed' ? 'not ok' : 'ok'} ${index + 1} - ${escape(`${id}: ${sentence}`)}${reason === null ? '' : ` # SKIP ${oneLine(reason)}`}`,
      ...(failure
        ? [
            '  ---',
            ...Object.entries(failure).map(([name, text]) => `  ${name}: ${JSON.stringify(text)}`),
            '  ...',
          ]
        : []),
    ]),
    `# ${toSummaryLine(report)}`,
  ].join('\n');
}

/** Escapes a text, because a `#` would start a directive. */
function escape(text: string): string {
  return oneLine(text).replaceAll(/[\\#]/g, String.raw`\$&`);
}

function oneLine(text: string): string {
  return text.replaceAll(/[\r\n]+/g, ' ');
}
