import { LEVELS, type Level } from './check.ts';
import type { CheckResult } from './run-check.ts';

/** The results of a run, as the reporter `json` writes them and `--compare` reads them. */
export interface Report {
  /** The implementation's name in reports and comparisons, such as `the mock`. */
  readonly name: string;
  readonly apiBase: string;
  readonly level: Level;
  /** The start of the run. ISO 8601. */
  readonly startedAt: string;
  readonly durationMs: number;
  readonly results: readonly CheckResult[];
}

export function countResults(
  results: readonly CheckResult[],
): Record<CheckResult['status'], number> {
  const counts = { passed: 0, failed: 0, skipped: 0 };
  for (const { status } of results) counts[status] += 1;
  return counts;
}

/** Returns the counts and the duration of a run in one line. */
export function toSummaryLine({ results, durationMs }: Report): string {
  const { passed, failed, skipped } = countResults(results);
  const seconds = (durationMs / 1000).toFixed(1);
  return `${results.length} checks in ${seconds} s: ${passed} passed, ${failed} failed, ${skipped} skipped`;
}

/** Returns one line of counts for each level that has results. */
export function toLevelLines({ results }: Report): string[] {
  return LEVELS.flatMap((level) => {
    const own = results.filter((result) => result.level === level);
    if (own.length === 0) return [];
    const { passed, failed, skipped } = countResults(own);
    return [`${level}: ${passed} passed, ${failed} failed, ${skipped} skipped`];
  });
}

/** Groups the ids of the skipped checks by reason, the most frequent reason first. */
export function groupSkipped(results: readonly CheckResult[]): [reason: string, ids: string[]][] {
  const groups = new Map<string, string[]>();
  for (const { reason, id } of results) {
    if (reason !== null) groups.set(reason, [...(groups.get(reason) ?? []), id]);
  }
  return [...groups].sort(([, a], [, b]) => b.length - a.length);
}

/**
 * Groups the failed checks by cause, in the order of the results. A failure that is about its rule alone is a
 * group of its own.
 */
export function groupFailed(results: readonly CheckResult[]): CheckResult[][] {
  const groups = new Map<string, CheckResult[]>();
  for (const result of results) {
    if (!result.failure) continue;
    const { cause } = result.failure;
    const key = cause === null ? `check ${result.id}` : `cause ${cause}`;
    groups.set(key, [...(groups.get(key) ?? []), result]);
  }
  return [...groups.values()];
}

/**
 * Checks that a value is a report of the reporter `json`: that it has a name, and an id and a status for each
 * result.
 * @throws {TypeError} if it is not
 */
export function parseReport(value: unknown): Report {
  const { name, results } = (value ?? {}) as Partial<Report>;
  const isReport =
    typeof name === 'string' &&
    Array.isArray(results) &&
    results.every(
      (result: unknown) =>
        typeof result === 'object' && result !== null && 'id' in result && 'status' in result,
    );
  if (!isReport) throw new TypeError('it is not a report of the json reporter');
  return value as Report;
}
