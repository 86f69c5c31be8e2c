import * as v from 'valibot';
import type { ReportControl, ReportFilter, ReportResource } from '../../api/reports.ts';
import { flag as isFlag } from '../../store/checks.ts';
import type { Db } from '../../store/db.ts';
import { toIso } from '../../store/instant.ts';
import {
  REPORT_FACTS,
  REPORT_KINDS,
  type ReportFacts,
  type ReportRow,
} from '../../store/report-kinds.ts';
import { filterInteger, filterText, limit } from '../schemas/fields.ts';
import { count, flag, id, instant, text, textOrNull } from '../schemas/values.ts';
import { DEFAULT_LIMIT } from './lists.ts';
import { op, type OperationsOf } from './operation.ts';

const facts = v.strictObject(
  Object.fromEntries(
    Object.entries(REPORT_FACTS).map(([name, check]) => [
      name,
      v.exactOptional(check === isFlag ? flag : text),
    ]),
  ),
) as unknown as v.GenericSchema<ReportFacts>;

export const reportResource = v.strictObject({
  id: count,
  at: instant,
  realAt: instant,
  kind: v.picklist(REPORT_KINDS),
  tenantId: textOrNull,
  sessionId: textOrNull,
  attemptId: textOrNull,
  pageId: id,
  seq: count,
  pageUrl: text,
  facts,
});

export const reportOperations = {
  reports: op({
    summary: 'List what the shop’s pages reported, newest first',
    input: v.object({
      tenantId: filterText('tenantId'),
      sessionId: filterText('sessionId'),
      attemptId: filterText('attemptId'),
      before: filterInteger('before', 1, Number.MAX_SAFE_INTEGER),
      limit,
    }),
    response: v.array(reportResource),
    run: ({ transact }, filter) => transact((db) => selectReports(db, filter)),
  }),
} satisfies OperationsOf<ReportControl>;

export function selectReports(db: Db, filter: ReportFilter): ReportResource[] {
  const { tenantId, sessionId, attemptId, before = Infinity, limit = DEFAULT_LIMIT } = filter;
  const isWanted = (wanted: string | undefined, value: string | null): boolean =>
    wanted === undefined || wanted === value;
  return (
    [...db.all('reports')]
      .filter(
        (report) =>
          report.no < before &&
          (report.tenantId === null || isWanted(tenantId, report.tenantId)) &&
          isWanted(sessionId, report.sessionId) &&
          isWanted(attemptId, report.attemptId),
      )
      // A snapshot may have them in any order.
      .sort((a, b) => b.no - a.no)
      .slice(0, limit)
      .map(toReportResource)
  );
}

export function toReportResource(row: ReportRow): ReportResource {
  const { id: _id, no, atMs, realAtMs, ...rest } = row;
  return { id: no, at: toIso(atMs), realAt: toIso(realAtMs), ...rest };
}
