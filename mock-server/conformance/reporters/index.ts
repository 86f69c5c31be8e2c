import type { Report } from '../report.ts';
import { toJunit } from './junit.ts';
import { toSummary } from './summary.ts';

/** The functions that format a report, by the name of the format. */
export const REPORTERS = {
  summary: toSummary,
  junit: toJunit,
  json: (report) => JSON.stringify(report, null, 2),
} as const satisfies Record<string, (report: Report) => string>;

/** The name of a format. */
export type ReporterName = keyof typeof REPORTERS;

/** The names of all formats, for example to list them for a user. */
export const REPORTER_NAMES = Object.keys(REPORTERS) as ReporterName[];
