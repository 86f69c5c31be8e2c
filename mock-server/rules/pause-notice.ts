import { BRAND } from '../api/brand.ts';
import type { Db } from '../store/db.ts';
import type { EndpointRow, PauseReason } from '../store/rows.ts';
import { membersOf } from './tenants.ts';

/** Adds a notice of a pause and, if the account has owners or admins, one email to them. */
export function addPauseNotice(
  db: Db,
  { id: endpointId, tenantId, url }: EndpointRow,
  reason: PauseReason,
  nowMs: number,
): void {
  let pauseNo = 1;
  while (db.get('notices', `${endpointId}:${pauseNo}`)) pauseNo += 1;
  const id = `${endpointId}:${pauseNo}`;
  const text = toText(url, reason);
  const shared = { id, tenantId, text, createdAtMs: nowMs };
  db.put('notices', { ...shared, endpointId, url, reason });
  const to = membersOf(db, tenantId)
    .filter(({ role }) => role === 'owner' || role === 'admin')
    .map(({ email }) => email);
  if (to.length > 0)
    db.put('emails', { ...shared, to, subject: `${BRAND} paused your webhooks to ${url}` });
}

function toText(url: string, reason: PauseReason): string {
  const why =
    reason === 'rejecting'
      ? 'the endpoint has rejected every request for an hour'
      : 'no request to the endpoint has succeeded for 24 hours';
  return (
    `Webhooks to ${url} are paused: ${why}. New events are recorded as not delivered. ` +
    'Correct the endpoint, then choose Test and resume. After that, Redeliver sends the missed events of the last seven days.'
  );
}
