import type { MockService } from 'ofage-mock';
import { REPORTS_PATH } from '../../mock-server/api/brand.ts';
import { STATIC_API_ORIGIN } from './site.ts';

/**
 * The key prefix of requests that closing pages have left. In the static playground, a closing page also ends
 * its own request handlers, so a request sent during unload gets no response. The page writes the request to
 * localStorage instead, because a synchronous write still completes. Another open page, or the next page to
 * load, sends it.
 */
const PREFIX = 'ofage-playground:left:';

/** A request of a closing page to the service. */
interface LeftRequest {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

type Service = Pick<MockService, 'fetch'>;

export function noteLeave(sessionToken: string): void {
  const headers = { authorization: `Bearer ${sessionToken}`, 'content-type': 'application/json' };
  leaveRequest({ path: '/hosted/v1/leave', headers, body: '{}' });
}

export function leaveReports(body: string): void {
  leaveRequest({ path: REPORTS_PATH, headers: {}, body });
}

function leaveRequest(request: LeftRequest): void {
  const left = JSON.stringify({ request, leftAtMs: Date.now() });
  localStorage.setItem(PREFIX + crypto.randomUUID(), left);
}

/** Sends all requests that pages have left, now and whenever another tab adds one. */
export async function followOutbox(service: Service): Promise<void> {
  window.addEventListener('storage', ({ key, newValue }) => {
    if (key?.startsWith(PREFIX) && newValue !== null) void sendLeftRequests(service);
  });
  await sendLeftRequests(service);
}

/**
 * Sends all requests that pages have left, once each. The lock keeps two tabs from reading the same request,
 * because each of them hears of it.
 */
export async function sendLeftRequests(service: Service): Promise<void> {
  await navigator.locks.request('ofage-playground:left', () => sendAll(service));
}

async function sendAll(service: Service): Promise<void> {
  const keys = Object.keys(localStorage).filter((key) => key.startsWith(PREFIX));
  for (const key of keys) {
    const left = localStorage.getItem(key);
    localStorage.removeItem(key);
    // Another tab has sent it meanwhile.
    if (left === null) continue;
    const { request, leftAtMs } = JSON.parse(left) as { request: LeftRequest; leftAtMs: number };
    const { path, headers, body } = request;
    await service.fetch(
      new Request(STATIC_API_ORIGIN + path, {
        method: 'POST',
        headers,
        body: path === REPORTS_PATH ? toOlder(body, Math.max(0, Date.now() - leftAtMs)) : body,
      }),
    );
  }
}

/** Adds the time for which reports have waited to their age. They are sent only now. */
function toOlder(body: string, waitedMs: number): string {
  const batch = JSON.parse(body) as { reports: readonly { ageMs: number }[] };
  const older = batch.reports.map((report) => ({ ...report, ageMs: report.ageMs + waitedMs }));
  return JSON.stringify({ ...batch, sentAtMs: Date.now(), reports: older });
}
