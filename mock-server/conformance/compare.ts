import type { CheckResult } from './run-check.ts';
import type { Report } from './report.ts';

/**
 * Compares two runs of the kit, for example against production and against the mock.
 * @returns one line for each check that ran in both and has a different result or response
 */
export function compareReports(report: Report, other: Report): string[] {
  const others = new Map(other.results.map((result) => [result.id, result]));
  const name = report.name;
  const otherName = other.name === name ? `${name} in the earlier run` : other.name;
  return report.results.flatMap((result) => {
    const counterpart = others.get(result.id);
    // A check that could not run says nothing about the implementation.
    if (!counterpart || result.status === 'skipped' || counterpart.status === 'skipped') return [];
    const [answer, otherAnswer] = [describe(result), describe(counterpart)];
    const isSame = result.status === counterpart.status && answer === otherAnswer;
    return isSame ? [] : [`${result.id}: ${name} ${answer} where ${otherName} ${otherAnswer}`];
  });
}

function describe({ failure, answer, status }: CheckResult): string {
  if (failure) return `answers ${failure.answered} (expected ${failure.expected})`;
  return answer === null ? status : `answers ${answer}`;
}
