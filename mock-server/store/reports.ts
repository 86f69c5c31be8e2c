import { virtualNow } from './clock.ts';
import type { Db } from './db.ts';
import type { ReportRow } from './report-kinds.ts';

/** Maximum number of reports to keep of an account. */
export const MAX_OF_ACCOUNT = 1_000;

/** Maximum number of reports to keep of a session, so that one page does not displace all others. */
export const MAX_OF_SESSION = 200;

/** Maximum number of reports to keep whose key no account has. */
export const MAX_OF_NO_ACCOUNT = 100;

export type NewReport = Omit<ReportRow, 'id' | 'no' | 'atMs'>;

/**
 * Adds reports, joins each attempt to its session as soon as a report names it, and drops the oldest reports
 * beyond the maximum.
 */
export function addReports(db: Db, added: readonly NewReport[]): void {
  const newest = Math.max(0, ...Array.from(db.all('reports'), ({ no }) => no));
  const sessionIds = new Set<string>();
  for (const [index, report] of added.entries()) {
    const no = newest + index + 1;
    const sessionId = report.sessionId ?? findSessionOfAttempt(db, report);
    const atMs = virtualNow(db, report.realAtMs);
    db.put('reports', { ...report, id: String(no), no, atMs, sessionId });
    if (sessionId === null) continue;
    joinAttempt(db, report, sessionId);
    sessionIds.add(sessionId);
  }
  for (const sessionId of sessionIds)
    keepNewest(db, db.find('reports', 'sessionId', sessionId), MAX_OF_SESSION);
  for (const tenantId of new Set(added.map((report) => report.tenantId))) {
    const max = tenantId === null ? MAX_OF_NO_ACCOUNT : MAX_OF_ACCOUNT;
    keepNewest(db, db.find('reports', 'tenantId', tenantId), max);
  }
}

/** Returns the reports of the attempt that the account's pages have sent. */
function findAttempt(
  db: Db,
  { attemptId, tenantId }: Pick<ReportRow, 'attemptId' | 'tenantId'>,
): ReportRow[] {
  if (attemptId === null) return [];
  return db
    .find('reports', 'attemptId', attemptId)
    .filter((report) => report.tenantId === tenantId);
}

function findSessionOfAttempt(db: Db, report: NewReport): string | null {
  const joined = findAttempt(db, report).find(({ sessionId }) => sessionId !== null);
  return joined?.sessionId ?? null;
}

function joinAttempt(db: Db, report: NewReport, sessionId: string): void {
  for (const row of findAttempt(db, report))
    if (row.sessionId === null) db.put('reports', { ...row, sessionId });
}

function keepNewest(db: Db, rows: readonly ReportRow[], max: number): void {
  // A snapshot may have them in any order.
  const oldestFirst = rows.toSorted((a, b) => a.no - b.no);
  for (const { id } of oldestFirst.slice(0, Math.max(0, rows.length - max)))
    db.delete('reports', id);
}
