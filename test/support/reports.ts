import type { ReportResource } from 'ofage-mock';
import type { Mock } from './a-mock.ts';

/** The page that reports, unless a test says otherwise. */
export const PAGE_URL = 'http://localhost:3000/shop';

export interface Batch {
  readonly key?: string;
  readonly sessionId?: string;
  readonly pageId?: string;
  readonly pageUrl?: string;
  readonly sentAtMs?: number;
  readonly reports: readonly unknown[];
}

/** Sends reports as a page does. Its `Origin` is that of the page unless one is given. */
export async function sendReports(
  { service }: Pick<Mock, 'service'>,
  batch: Batch,
  { origin }: { readonly origin?: string | null } = {},
): Promise<Response> {
  const body = { pageId: 'page-1', pageUrl: PAGE_URL, ...batch };
  return sendText(service, JSON.stringify(body), {
    origin: origin === undefined ? new URL(body.pageUrl).origin : origin,
  });
}

export function sendText(
  service: Pick<Mock['service'], 'fetch'>,
  body: string,
  { origin, type = 'text/plain;charset=UTF-8' }: { origin: string | null; type?: string },
): Promise<Response> {
  return service.fetch(
    new Request('http://127.0.0.1:4010/reports/v1', {
      method: 'POST',
      headers: { 'content-type': type, ...(origin !== null && { origin }) },
      body,
    }),
  );
}

let sent = 0;

/** Returns a report as a page sends it. */
export function aReport(kind: ReportResource['kind'], more: object = {}): object {
  sent += 1;
  return { seq: sent, ageMs: 0, kind, facts: {}, ...more };
}
