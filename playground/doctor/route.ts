import type { DoctorFilter } from 'ofage/mock';

/** What the report is about, as the fragment says it: `#SESSION?tenant=ID&since=TIME&labs`. */
export interface Route {
  /** Empty for all sessions. */
  readonly sessionId: string;
  /** Empty for all accounts. */
  readonly tenantId: string;
  /** ISO 8601, by the provider's clock. Empty for everything that is stored. */
  readonly since: string;
  readonly labs: boolean;
}

export function parseRoute(hash: string): Route {
  const [path = '', query = ''] = hash.replace(/^#\/?/, '').split('?', 2);
  const params = new URLSearchParams(query);
  return {
    sessionId: decode(path),
    tenantId: params.get('tenant') ?? '',
    since: params.get('since') ?? '',
    labs: params.has('labs'),
  };
}

export function toHash({ sessionId, tenantId, since, labs }: Route): string {
  const params = new URLSearchParams({
    ...(tenantId && { tenant: tenantId }),
    ...(since && { since }),
    ...(labs && { labs: '' }),
  });
  const query = params.size > 0 ? `?${String(params).replace('labs=', 'labs')}` : '';
  return `#${encodeURIComponent(sessionId)}${query}`;
}

export function toFilter({ sessionId, tenantId, since, labs }: Route): DoctorFilter {
  return {
    sessionId: sessionId || undefined,
    tenantId: tenantId || undefined,
    since: since || undefined,
    labs: labs || undefined,
  };
}

/** A fragment that was typed by hand may not be decodable. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
