import type { ReportResource } from '../api/reports.ts';
import { type DoctorCheck, toPass, toReportEvidence } from './finding.ts';
import { some } from './format.ts';
import { toCount } from '../words/counts.ts';
import { callsOf, type Records } from './records.ts';
import { RETURN_GRACE_MS } from './result-checks.ts';

/** Checks of what the merchant's pages reported. Without reports, they find nothing. */
export const pageChecks = {
  verify_on_load: {
    why: 'A browser opens a window only for a click. And a page that redirects while it loads sends a shopper who presses Back away again.',
    examine: (records) =>
      examineCalls(records, reportedCalls(records).filter(isOnLoad), {
        title: 'verify() was called before the shopper touched the page',
        advice: 'Call verify() in the click handler of a button, not while the page loads.',
      }),
    passes: (records) =>
      reportedCalls(records)
        .filter(({ facts }) => facts.isPageUsed === true)
        .map(toReportEvidence)
        .map(toPass),
  },

  verify_outside_click: {
    why: 'A browser opens a window only during a click and for a short time after it. Others block it, although yours may not.',
    examine: (records) =>
      examineCalls(records, reportedCalls(records).filter(isOutsideClick), {
        title: 'verify() was called outside of a click',
        advice:
          'Call verify() first in the click handler, before any await, timer or request. Load what it needs earlier.',
      }),
    passes: (records) =>
      reportedCalls(records)
        .filter(({ facts }) => facts.isInClick === true)
        .map(toReportEvidence)
        .map(toPass),
  },

  forged_return_unasked: {
    why: 'Anyone can type the return URL with status=verified. Only your server can find out that it is not true.',
    examine(records) {
      const forged = reportedReturns(records).filter((report) => {
        const session = records.sessions.find(({ id }) => id === report.sessionId);
        return (
          session !== undefined &&
          session.status !== 'verified' &&
          records.nowMs - Date.parse(report.at) > RETURN_GRACE_MS &&
          !isAsked(records, session.id)
        );
      });
      if (forged.length === 0) return null;
      return {
        severity: 'problem',
        title: 'Your server was not asked about a forged return',
        detail: `${toCount(forged.length, 'time')} the return page read status=verified of a session that is not verified, and validate was not called. Sessions: ${some(forged.map(({ sessionId }) => String(sessionId)))}.`,
        advice:
          'Send the sessionId from the return URL to your server, call validate there, and give access only based on its response.',
        evidence: forged.map((report) => ({ ...toReportEvidence(report), subject: 'return' })),
      };
    },
    passes: (records) =>
      reportedReturns(records)
        .filter(({ sessionId }) => sessionId !== null && isAsked(records, sessionId))
        .map((report) => toPass({ ...toReportEvidence(report), subject: 'return' })),
  },
} as const satisfies Record<string, DoctorCheck>;

function reportedCalls({ reports }: Records): ReportResource[] {
  return reports.filter(({ kind }) => kind === 'verify.called');
}

function reportedReturns({ reports }: Records): ReportResource[] {
  return reports.filter(({ kind, facts }) => kind === 'return.read' && facts.status === 'verified');
}

/** Not every browser tells whether the shopper has touched the page. */
function isOnLoad({ facts }: ReportResource): boolean {
  return facts.isPageUsed === false;
}

/** A redirect needs no click. */
function isOutsideClick(report: ReportResource): boolean {
  const { mode, isInClick } = report.facts;
  return mode === 'new-tab' && isInClick === false && !isOnLoad(report);
}

function isAsked(records: Records, sessionId: string): boolean {
  return callsOf(records, sessionId).some(({ operation }) => operation === 'validate');
}

/** Returns what the calls have in common. It is a problem if a browser has blocked a window. */
function examineCalls(
  { reports }: Records,
  calls: readonly ReportResource[],
  words: { readonly title: string; readonly advice: string },
): ReturnType<DoctorCheck['examine']> {
  if (calls.length === 0) return null;
  const blocked = new Set(
    reports
      .filter(({ kind, facts }) => kind === 'window.opened' && facts.isOpen === false)
      .map(({ attemptId }) => attemptId),
  );
  const blockedCalls = calls.filter(({ attemptId }) => blocked.has(attemptId));
  const outcome =
    blockedCalls.length === 0
      ? ''
      : ` ${toCount(blockedCalls.length, 'time')} the browser blocked the window.`;
  return {
    severity: blockedCalls.length === 0 ? 'warning' : 'problem',
    detail: `${toCount(calls.length, 'time')}. Pages: ${some(calls.map(({ pageUrl }) => pageUrl))}.${outcome}`,
    evidence: calls.map(toReportEvidence),
    ...words,
  };
}
