import { LEVELS } from '../check.ts';
import { groupFailed, groupSkipped, toLevelLines, toSummaryLine, type Report } from '../report.ts';
import type { CheckResult } from '../run-check.ts';

/** Formats the failures, the skipped checks and the counts as text for people. */
export function toSummary(report: Report): string {
  const skipped = groupSkipped(report.results);
  return [
    ...groupFailed(inOrder(report.results)).flatMap(toLines),
    ...skipped.map(([reason, ids]) => `SKIPPED  ${ids.length}: ${reason}: ${toList(ids)}`),
    ...(skipped.length > 0 ? [''] : []),
    ...toLevelLines(report),
    toSummaryLine(report),
  ].join('\n');
}

/** What ended the run comes first, then what the specification demands. */
function inOrder(results: readonly CheckResult[]): CheckResult[] {
  return [
    ...results.filter(({ failure }) => failure?.endsRun),
    ...LEVELS.flatMap((level) =>
      results.filter((result) => result.level === level && !result.failure?.endsRun),
    ),
  ];
}

/** Formats the failures with one cause: the first in full, and the ids of the others. */
function toLines([shown, ...others]: readonly CheckResult[]): string[] {
  if (!shown?.failure) return [];
  const { id, level, section, sentence, failure } = shown;
  const { sent, expected, answered, examples } = failure;
  const [first, ...more] = examples;
  const ids = others.map((other) => other.id);
  return [
    `FAILED  ${id} (${level}, ${section})${toCount(ids)}`,
    `  rule      ${sentence}`,
    ...(first === undefined ? [] : [`  example   ${first}`]),
    `  sent      ${sent}`,
    `  expected  ${expected}`,
    `  answered  ${answered}`,
    ...(more.length === 0 ? [] : [`  also for  ${more.join(', ')}`]),
    ...(ids.length === 0 ? [] : [`  also in   ${ids.join(', ')}`]),
    '',
  ];
}

function toCount({ length }: readonly string[]): string {
  if (length === 0) return '';
  return `, and ${length} more ${length === 1 ? 'check' : 'checks'} with the same cause`;
}

const SHOWN = 3;

function toList(ids: readonly string[]): string {
  const rest = ids.length - SHOWN;
  return ids.slice(0, SHOWN).join(', ') + (rest > 0 ? ` and ${rest} more` : '');
}
