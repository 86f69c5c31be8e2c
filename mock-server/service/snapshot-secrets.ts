import type { Demo } from '../api/state.ts';
import { isActivePair, listPairs } from '../rules/keys.ts';
import type { Db } from '../store/db.ts';
import { type Random, toToken } from '../store/random.ts';
import type { EndpointRow, KeyRow } from '../store/rows.ts';
import { redact } from './request-recorder.ts';

/** The rows of a snapshot, by table. */
interface Tables {
  [table: string]: { id: string }[];
}

/** Stands in a snapshot in place of a key or secret. */
const OMITTED = '…';

/**
 * Shortest secret that is searched in all texts. A shorter one, which only an endpoint can have, is a part
 * of too many other texts.
 */
const MIN_SEARCHED_LENGTH = 8;

/**
 * Returns a copy of the tables without keys, endpoint secrets, tokens and the key that signs tokens. They
 * are also removed from all other texts, such as the log of requests and the URLs.
 */
export function omitSecrets({ settings = [], ...tables }: Tables): Tables {
  const keys = (tables['keys'] ?? []) as KeyRow[];
  const endpoints = (tables['endpoints'] ?? []) as EndpointRow[];
  const secrets = [
    ...settings.map((row) => (row as { value?: string }).value),
    ...keys.map(({ value }) => value),
    ...endpoints.map(({ secret }) => secret),
  ].filter((text) => typeof text === 'string' && text.length >= MIN_SEARCHED_LENGTH) as string[];
  // A secret may contain another one, so the longest is replaced first.
  secrets.sort((a, b) => b.length - a.length);
  const hide = (text: string): string =>
    secrets.reduce((hidden, secret) => hidden.replaceAll(secret, OMITTED), redact(text));
  const emptied = {
    ...tables,
    keys: keys.map((key) => ({ ...key, value: OMITTED })),
    endpoints: endpoints.map((endpoint) => ({
      ...endpoint,
      secret: endpoint.secret === null ? null : OMITTED,
    })),
  };
  return mapTexts(emptied, hide) as Tables;
}

/** Copies a JSON value and replaces its strings. Property names are kept. */
function mapTexts(value: unknown, map: (text: string) => string): unknown {
  if (typeof value === 'string') return map(value);
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, map));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [name, mapTexts(part, map)]),
  );
}

/** The keys and endpoint secrets of the first account. */
export interface RunningSecrets {
  readonly publishableKey: string;
  readonly secretKey: string;
  /** Secrets of the endpoints, by URL. Null for an endpoint that does not sign. */
  readonly endpoints: ReadonlyMap<string, string | null>;
}

export function readRunningSecrets(db: Db, demo: Demo): RunningSecrets {
  const endpoints = db.find('endpoints', 'tenantId', demo.tenantId);
  return { ...demo, endpoints: new Map(endpoints.map(({ url, secret }) => [url, secret])) };
}

/**
 * Fills in the keys and secrets that a loaded snapshot does not have. The first account gets those of
 * `running`, so that applications that are configured with them keep working. All others are new.
 * @param tenantId The first account of the loaded snapshot.
 */
export function fillSecrets(
  db: Db,
  tenantId: string,
  { running, random }: { running: RunningSecrets; random: Random },
): void {
  const pairs = listPairs(db, tenantId);
  const pair = pairs.find(isActivePair) ?? pairs[0];
  // The rows are copied first, because a table must not change during an iteration.
  const keys = [...db.all('keys')];
  for (const key of keys) {
    const known = key.kind === 'secret' ? running.secretKey : running.publishableKey;
    const value =
      key.pairId === pair?.pairId ? known : toToken(key.kind === 'secret' ? 'sk_' : 'pk_', random);
    db.put('keys', { ...key, value });
  }
  const endpoints = [...db.all('endpoints')];
  for (const endpoint of endpoints) {
    // Null says that the endpoint does not sign, which is no secret.
    if (endpoint.secret === null) continue;
    const known = endpoint.tenantId === tenantId ? running.endpoints.get(endpoint.url) : null;
    db.put('endpoints', { ...endpoint, secret: known ?? toToken('whsec_', random) });
  }
}
