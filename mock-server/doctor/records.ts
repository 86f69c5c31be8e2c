import type { TenantResource } from '../api/accounts.ts';
import { isDemoUrl, LAB_HEADER, LAB_MARK, LAB_PREFIX } from '../api/brand.ts';
import type { DeliveryResource } from '../api/deliveries.ts';
import type { ObservationResource } from '../api/doctor.ts';
import type { EndpointResource } from '../api/endpoints.ts';
import type { ReportResource } from '../api/reports.ts';
import type { RequestResource } from '../api/requests.ts';
import type { SessionResource } from '../api/sessions.ts';
import { isAllowedUrl } from '../rules/allowed-domains.ts';
import { isLoopbackOrigin } from '../send/address.ts';
import type { Call } from './calls.ts';

/** The data that the doctor examines. Lists are oldest first. */
export interface Records {
  readonly nowMs: number;
  readonly tenants: readonly TenantResource[];
  /** Calls without an injected fault, because a fault is not the merchant's mistake. */
  readonly calls: readonly Call[];
  readonly sessions: readonly ExaminedSession[];
  readonly deliveries: readonly DeliveryResource[];
  readonly hooks: readonly Hook[];
  /** Calls that say nothing about the integration, because {@link isFromOtherSite}. */
  readonly foreignCalls: readonly Call[];
  /** True if a request with a secret key has arrived, also before `since` and for other sessions. */
  readonly hasServerCalled: boolean;
  /** The limit of the examined time, and the last traffic before it. Null without a limit. */
  readonly since: Since | null;
  /** The accounts whose endpoint of the demo shop receives webhooks and was left out. */
  readonly demoTenantIds: readonly string[];
  readonly observations: readonly ObservationResource[];
  /** What the pages reported about calls and results. Only pages with a reporter report. */
  readonly reports: readonly ReportResource[];
}

export interface Since {
  readonly at: string;
  /** Null if there was no traffic at all. */
  readonly lastBeforeAt: string | null;
}

export interface ExaminedSession extends SessionResource {
  /** True if the mock created the session for a tool, and not for the merchant. */
  readonly isFromTool: boolean;
}

/**
 * A target of webhooks: an endpoint, or the single webhook of an older account while it receives events.
 */
export interface Hook extends Readonly<Omit<EndpointResource, 'events' | 'pairId' | 'isLab'>> {}

/** Lists the calls whose request or response names the session. */
export function callsOf(records: Records, sessionId: string): Call[] {
  return records.calls.filter((call) => call.sessionId === sessionId);
}

export function refusedValidates(records: Records, message: string): Call[] {
  return records.calls.filter(
    ({ operation, messages }) => operation === 'validate' && messages.includes(message),
  );
}

/**
 * Returns the first time at which a signed `verification.completed` webhook of the session was accepted, or
 * null if none was.
 */
export function webhookResultMs(records: Records, sessionId: string): number | null {
  const times = records.deliveries.flatMap(
    ({ sessionId: id, event, endpointId, tenantId, deliveredAt }) => {
      if (id !== sessionId || event !== 'verification.completed' || deliveredAt === null) return [];
      const hook = records.hooks.find((one) => one.id === (endpointId ?? tenantId));
      return hook?.hasSecret ? [Date.parse(deliveredAt)] : [];
    },
  );
  return times.length === 0 ? null : Math.min(...times);
}

/** Tells whether the merchant's side reported that it handled one of the session's events. */
export function isWebhookProcessed(records: Records, sessionId: string): boolean {
  return records.observations.some(
    (one) => one.kind === 'webhook_processed' && one.sessionId === sessionId,
  );
}

/**
 * Tells whether a session belongs to the labs of the playground. The labs make mistakes on purpose, in the
 * account of the demo shop. They mark their traffic, so that the doctor can leave it out.
 */
export function isLabSession({ externalUserId }: { externalUserId: string | null }): boolean {
  return externalUserId?.startsWith(LAB_PREFIX) ?? false;
}

/** Tells whether a page of the labs reported. A report has only the first characters of the shopper's id. */
export function isLabReport({ facts }: Pick<ReportResource, 'facts'>): boolean {
  return facts.externalUserId?.startsWith(LAB_PREFIX.slice(0, 4)) ?? false;
}

/** The kinds of reports that the doctor examines. */
const EXAMINED_REPORTS: readonly ReportResource['kind'][] = [
  'verify.called',
  'verify.resolved',
  'window.opened',
  'return.read',
];

export function isExaminedReport({ kind }: Pick<ReportResource, 'kind'>): boolean {
  return EXAMINED_REPORTS.includes(kind);
}

export function isLabHook({ url }: { readonly url: string }): boolean {
  return new URL(url).searchParams.has(LAB_MARK);
}

/**
 * Tells whether an endpoint belongs to the demo shop's own server, which runs beside the mock or in the
 * static playground. The doctor leaves out such an endpoint, because it says nothing about another shop
 * that uses the same account.
 */
export function isDemoHook({ url }: { readonly url: string }): boolean {
  return isDemoUrl(url);
}

/**
 * Tells whether a request belongs to the labs, whose server marks its requests with a header. In a page, the
 * mark does not count, because a page could hide its own mistakes.
 */
export function isLabRequest({ isBrowser, requestHeaders }: RequestResource): boolean {
  return !isBrowser && Object.hasOwn(requestHeaders, LAB_HEADER);
}

/**
 * Tells whether a page of another site sent the request, without a known key. Any page that a developer
 * opens can send such requests to the mock, so they say nothing about the integration. A page on this
 * computer or in an allowed domain is a part of it.
 */
export function isFromOtherSite(
  { tenantId, origin, requestHeaders }: RequestResource,
  tenants: readonly Pick<TenantResource, 'allowedDomains'>[],
): boolean {
  if (tenantId !== null) return false;
  // Browsers send no Origin for an image or a link.
  if (origin === null) return requestHeaders['sec-fetch-site'] === 'cross-site';
  return (
    !isOnThisComputer(origin) &&
    !tenants.some(({ allowedDomains }) => isAllowedUrl(origin, allowedDomains))
  );
}

function isOnThisComputer(origin: string): boolean {
  // Browsers resolve the subdomains of localhost to this computer.
  return isLoopbackOrigin(origin) || /^https?:\/\/[^/]+\.localhost(:\d+)?$/.test(origin);
}
