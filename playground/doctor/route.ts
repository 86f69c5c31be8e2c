import type { DoctorFilter } from 'ofage/mock';

/** The filter of the report, as it appears in the fragment: `#SESSION?tenant=ID&since=TIME&labs`. */
export interface Route {
  /** The session's id. Empty for all sessions. */
  readonly sessionId: string;
  /** The account's id. Empty for all accounts. */
  readonly tenantId: string;
  /**
   * The earliest time to include, in ISO 8601 on the service's clock. Empty for everything that is stored.
   */
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

/**
 * Decodes a part of the fragment. Returns it unchanged if it cannot be decoded, because users may type a
 * fragment by hand.
 */
function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
