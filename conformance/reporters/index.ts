import type { Report } from '../report.ts';
import { toJunit } from './junit.ts';
import { toMarkdown } from './markdown.ts';
import { toSummary } from './summary.ts';
import { toTap } from './tap.ts';

/** The formats of a report, by name. */
export const REPORTERS = {
  summary: toSummary,
  tap: toTap,
  junit: toJunit,
  json: (report) => JSON.stringify(report, null, 2),
  markdown: toMarkdown,
} as const satisfies Record<string, (report: Report) => string>;

/** The name of a format. */
export type ReporterName = keyof typeof REPORTERS;

/** The names of all formats. */
export const REPORTER_NAMES = Object.keys(REPORTERS) as ReporterName[];
