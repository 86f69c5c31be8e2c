import { compareFacts, type Facts, recordChange, toNewValues } from '../store/changes.ts';
import type { ChangeRow } from '../store/change-kinds.ts';
import type { Db } from '../store/db.ts';
import type { EndpointRow } from '../store/rows.ts';

type Details = Partial<Pick<ChangeRow, 'values' | 'amount'>>;

/** Records a change of an endpoint or a legacy webhook. */
export function recordEndpointChange(
  db: Db,
  kind: Extract<ChangeRow['kind'], `endpoint.${string}`>,
  endpoint: EndpointRow,
  details: Details = {},
): void {
  recordChange(db, {
    kind,
    tenantId: endpoint.tenantId,
    subjectId: endpoint.kind === 'legacy' ? null : endpoint.id,
    subject: toShownUrl(endpoint.url),
    ...details,
  });
}

/** Records a new endpoint with its settings. */
export function recordNewEndpoint(db: Db, endpoint: EndpointRow): void {
  recordEndpointChange(db, 'endpoint.added', endpoint, { values: toNewValues(toFacts(endpoint)) });
}

/** Records the settings of an endpoint that differ, if there are any. */
export function recordEndpointSettings(db: Db, before: EndpointRow, after: EndpointRow): void {
  const values = compareFacts(toFacts(before), toFacts(after));
  if (values.length > 0) recordEndpointChange(db, 'endpoint.changed', after, { values });
}

function toFacts({ url, events, pairId, enabled, secret }: EndpointRow): Facts {
  return {
    shown: { url: toShownUrl(url), events: events.join(', '), pairId, enabled },
    hidden: { url, secret },
  };
}

/** Returns the URL without its user name, password and query, which may contain a secret. */
function toShownUrl(url: string): string {
  const { origin, pathname, search } = new URL(url);
  return origin + pathname + (search === '' ? '' : '?…');
}
