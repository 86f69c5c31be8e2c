import { LEVELS } from '../check.ts';
import { groupSkipped, toLevelLines, toSummaryLine, type Report } from '../report.ts';
import type { CheckResult } from '../run-check.ts';

/** Formats the failures, the skipped checks and the counts as text for people. */
export function toSummary(report: Report): string {
  // What the specification demands comes first.
  const failed = LEVELS.flatMap((level) =>
    report.results.filter((result) => result.status === 'failed' && result.level === level),
  );
  const skipped = groupSkipped(report.results);
  return [
    ...failed.flatMap(toLines),
    ...skipped.map(([reason, ids]) => `SKIPPED  ${ids.length}: ${reason}: ${toList(ids)}`),
    ...(skipped.length > 0 ? [''] : []),
    ...toLevelLines(report),
    toSummaryLine(report),
  ].join('\n');
}

function toLines({ id, level, section, sentence, failure }: CheckResult): string[] {
  if (!failure) return [];
  const { sent, expected, answered, examples } = failure;
  const [first, ...others] = examples;
  return [
    `FAILED  ${id} (${level}, ${section})`,
    `  rule      ${sentence}`,
    ...(first === undefined ? [] : [`  example   ${first}`]),
    `  sent      ${sent}`,
    `  expected  ${expected}`,
    `  answered  ${answered}`,
    ...(others.length === 0 ? [] : [`  also for  ${others.join(', ')}`]),
    '',
  ];
}

const SHOWN = 3;

function toList(ids: readonly string[]): string {
  const rest = ids.length - SHOWN;
  return ids.slice(0, SHOWN).join(', ') + (rest > 0 ? ` and ${rest} more` : '');
}
