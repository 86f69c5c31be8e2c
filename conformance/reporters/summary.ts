import { groupSkipped, toLevelLines, toSummaryLine, type Report } from '../report.ts';

/** Formats the failures, the skipped checks and the counts as text for people. */
export function toSummary(report: Report): string {
  const failed = report.results.filter(({ status }) => status === 'failed');
  const skipped = groupSkipped(report.results);
  return [
    ...failed.flatMap((result) => [
      `FAILED  ${result.id} (${result.level}, ${result.section})`,
      `  rule      ${result.sentence}`,
      ...(result.failure
        ? [
            `  sent      ${result.failure.sent}`,
            `  expected  ${result.failure.expected}`,
            `  answered  ${result.failure.answered}`,
          ]
        : []),
      '',
    ]),
    ...skipped.map(([reason, ids]) => `SKIPPED  ${ids.length}: ${reason}: ${toList(ids)}`),
    ...(skipped.length > 0 ? [''] : []),
    ...toLevelLines(report),
    toSummaryLine(report),
  ].join('\n');
}

const SHOWN = 3;

function toList(ids: readonly string[]): string {
  const rest = ids.length - SHOWN;
  return ids.slice(0, SHOWN).join(', ') + (rest > 0 ? ` and ${rest} more` : '');
}
