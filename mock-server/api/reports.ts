import type { ReportFacts, ReportKind } from '../store/report-kinds.ts';

/**
 * Something that a shop's page did with the SDK, as seen from outside of the SDK. A report has no key and no
 * token. Anyone who can open the page can forge it, so it is a help for developers and never a proof.
 */
export interface ReportResource {
  /** A number that counts up from 1 in the order of arrival, and starts again after a reset. */
  id: number;
  /** The time of what is reported, by the service's clock. */
  at: string;
  /** The same by the computer's clock. */
  realAt: string;
  kind: ReportKind;
  /** Null if no account has the page's key. */
  tenantId: string | null;
  /** The session of the attempt. Null as long as there is none, for example after a blocked window. */
  sessionId: string | null;
  /** A random id of one call of `verify()`. Null for what belongs to none, such as the load of a page. */
  attemptId: string | null;
  /** A random id of one load of the page. */
  pageId: string;
  /** The place among the reports of the page, counted from 1. */
  seq: number;
  /** The URL of the page, without its query and its fragment. */
  pageUrl: string;
  facts: ReportFacts;
}

/** The reports to list. An omitted field does not restrict the list, except `limit`. */
export interface ReportFilter {
  /** Lists only reports of this account and those whose key no account has. */
  tenantId?: string | undefined;
  sessionId?: string | undefined;
  attemptId?: string | undefined;
  /** Lists only reports with a smaller id than this. */
  before?: number | undefined;
  /** Maximum number of reports. The newest ones are returned. @default 100 */
  limit?: number | undefined;
}

export interface ReportControl {
  /**
   * Lists what the shop's pages reported, newest first: at most 1,000 reports of an account and 200 of a
   * session. Only pages that load the SDK from the mock report, and tests that ask for it
   * (`createTestOfAge(base, { report: true })`).
   */
  reports(filter?: ReportFilter): Promise<ReportResource[]>;
}

/**
 * Returns a sentence about a report.
 *
 * @param report A report, as `reports()` lists it.
 * @returns The sentence, such as `verify() resolved: verified`.
 * @example
 * ```ts
 * import { createControlClient, describeReport } from 'ofage-mock/client';
 *
 * const mock = createControlClient();
 * for (const report of await mock.reports()) console.log(report.realAt, describeReport(report));
 * ```
 */
export function describeReport(report: Pick<ReportResource, 'kind' | 'facts' | 'pageUrl'>): string {
  const { kind, facts } = report;
  switch (kind) {
    case 'page.shown':
      return `Page ${pathOf(report)} ${facts.isCached ? 'shown again, from the back/forward cache' : 'loaded'}`;
    case 'page.left':
      return `Page ${pathOf(report)} left`;
    case 'page.hidden':
      return `Page ${pathOf(report)} hidden`;
    case 'page.visible':
      return `Page ${pathOf(report)} visible`;
    case 'sdk.created':
      return 'new OfAge()';
    case 'sdk.refused':
      return `new OfAge() threw: ${errorOf(facts)}`;
    case 'verify.called':
      return `verify() called${describeMoment(facts)}`;
    case 'verify.resolved':
      return `verify() resolved: ${facts.status}${facts.reason === undefined ? '' : `, ${facts.reason}`}`;
    case 'verify.rejected':
      return `verify() rejected: ${errorOf(facts)}`;
    case 'window.opened':
      return facts.isOpen ? 'Window opened' : 'Window blocked by the browser';
    case 'session.created':
      return 'Page received its session';
    case 'callback.called':
      return describeCallback(facts);
    case 'destroy.called':
      return 'destroy() called';
    case 'return.read':
      return `handleReturn() returned ${facts.status ?? 'null'}`;
    case 'message.received':
      return describeMessage(facts);
    case 'warning.written':
      return `Warning: ${facts.message}`;
    default:
      // A mock of a later version may have further kinds.
      return kind satisfies never;
  }
}

function pathOf({ pageUrl }: Pick<ReportResource, 'pageUrl'>): string {
  return URL.canParse(pageUrl) ? new URL(pageUrl).pathname : pageUrl;
}

function errorOf({ code, message }: ReportFacts): string {
  return code ?? message ?? 'an error';
}

function describeMoment({ isInClick, isPageUsed }: ReportFacts): string {
  if (isInClick !== false) return '';
  return isPageUsed === false ? ' before the shopper touched the page' : ' outside of a click';
}

function describeCallback({ name, status, code, returned }: ReportFacts): string {
  const about = status ?? code;
  const sentence = about === undefined ? `${name}` : `${name}: ${about}`;
  return returned === 'false' ? `${sentence} returned false, so the page stays` : sentence;
}

function describeMessage({ type, present, hasEffect }: ReportFacts): string {
  if (present === 'true') return 'Message: the hosted page is open';
  if (present === 'false') return 'Message: the hosted page is leaving';
  if (present !== undefined) return 'Message: the hosted page unloads';
  return `Message ${hasEffect ? 'accepted' : 'without an effect that was seen'}: ${type}`;
}
