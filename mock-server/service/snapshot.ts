import type { Demo, Snapshot } from '../api/state.ts';
import { forgetAll, SIGNING_KEY_ID } from '../rules/first-accounts.ts';
import { newWebhookSecret } from '../rules/endpoints.ts';
import { holdWebhooks } from '../rules/hold-webhooks.ts';
import { isActivePair, listPairs, newKeyValue } from '../rules/keys.ts';
import { KNOWN_KEYS_ID, markKnownKeys } from '../rules/known-keys.ts';
import { toLaneId } from '../rules/lanes.ts';
import { RESERVED_PREFIX, reserveSecret } from '../rules/reserved-secret.ts';
import {
  findWebhookHoldSinceMs,
  WEBHOOK_HOLD_ID,
  parseWebhookHold,
} from '../rules/webhook-hold.ts';
import { isRecord, line } from '../store/checks.ts';
import { recordChange } from '../store/changes.ts';
import { CLOCK_ID, isFrozen } from '../store/clock.ts';
import type { Db } from '../store/db.ts';
import { ServiceError } from '../store/errors.ts';
import { isClockTime, isInstant, toIso } from '../store/instant.ts';
import { LOG_FORMAT } from '../store/log.ts';
import type { Random } from '../store/random.ts';
import {
  type EndpointRow,
  findRowProblem,
  type KeyRow,
  type SnapshotTable,
} from '../store/rows.ts';
import { INDEXES, type Rows, type TableName } from '../store/tables.ts';
import { createRedaction } from './redaction.ts';

const FORMAT = 'ofage-mock-snapshot';

export function takeSnapshot(db: Db, nowMs: number): Snapshot {
  const tables: Snapshot['tables'] = {};
  // The clock is stored separately, because an offset to this computer's clock would be meaningless later.
  for (const [table, id, row] of db.dump()) {
    if (!isSaved(table) || !row) continue;
    // Loading a snapshot sets this again.
    if (table === 'settings' && id === KNOWN_KEYS_ID) continue;
    tables[table] ??= [];
    // The cast is safe, because every row has an id.
    tables[table].push(row as { id: string });
  }
  const takenAt = toIso(nowMs);
  return { format: FORMAT, version: LOG_FORMAT, takenAt, frozen: isFrozen(db), tables };
}

/** Returns a copy that can be shown to others. */
export function toSnapshotWithoutSecrets(snapshot: Snapshot): Snapshot {
  return { ...snapshot, secrets: 'omitted', tables: omitSecrets(snapshot.tables) };
}

interface RestoreOptions {
  readonly realNowMs: number;
  readonly random: Random;
  /** Finds the account whose keys applications use. */
  findDemo(db: Db): Demo;
  /** True if other devices reach the service, so that keys which other people may know are refused. */
  readonly isPublic: boolean;
}

/**
 * Replaces the state with a snapshot. One without secrets gets those of the running first account, and new
 * ones elsewhere. The running key that signs tokens stays, so that pending sessions get new tokens.
 * @throws {ServiceError} invalid_body or conflict, with a readable message, before anything is changed
 */
export function restoreSnapshot(
  db: Db,
  input: unknown,
  { realNowMs, random, findDemo, isPublic }: RestoreOptions,
): void {
  const { takenAtMs, frozen, isWithoutSecrets, isHeld, rows } = parseSnapshot(input);
  if (isPublic && !isWithoutSecrets) throw new ServiceError('conflict', WITH_SECRETS);
  const running = readRunningSecrets(db, findDemo(db));
  forgetAll(db, isWithoutSecrets ? RUNNING_SETTINGS : []);
  for (const [table, row] of rows) {
    // A file without secrets cannot replace the running ones.
    const isKept = isWithoutSecrets && table === 'settings' && RUNNING_SETTINGS.includes(row.id);
    if (!isKept) db.put(table, row as Rows[typeof table] & Rows[TableName]);
  }
  if (isWithoutSecrets) fillSecrets(db, findDemo(db).tenantId, { running, random });
  else markKnownKeys(db, 'snapshot');
  db.put('clock', {
    id: CLOCK_ID,
    frozenAtMs: frozen ? takenAtMs : null,
    offsetMs: takenAtMs - realNowMs,
  });
  if (isHeld) holdWebhooks(db, takenAtMs);
  recordChange(db, {
    kind: 'state.loaded',
    values: [
      { name: 'takenAt', after: toIso(takenAtMs) },
      { name: 'webhooks', after: findWebhookHoldSinceMs(db) === null ? 'sent' : 'held' },
    ],
  });
}

/** The settings that loading a snapshot without secrets does not change. */
const RUNNING_SETTINGS: readonly string[] = [SIGNING_KEY_ID, KNOWN_KEYS_ID];

const WITH_SECRETS =
  'Cannot load the snapshot: it has keys, which other people may know, and the mock has a public address. Save it without secrets, or start without --public-port';

/** What a snapshot says about itself. */
interface Head {
  readonly takenAtMs: number;
  readonly frozen: boolean;
  readonly isWithoutSecrets: boolean;
  /** True if webhooks to public addresses must not be sent yet. */
  readonly isHeld: boolean;
}

/** A row of a snapshot, with the name of its table. */
type LabelledRow = readonly [table: SnapshotTable, row: { readonly id: string }];

interface ParsedSnapshot extends Head {
  readonly rows: readonly LabelledRow[];
}

/**
 * Checks a snapshot in this order: what it says about itself, each row alone, and then what the rules need
 * of the rows together. The first problem is reported.
 */
function parseSnapshot(input: unknown): ParsedSnapshot {
  if (!isRecord(input) || input['format'] !== FORMAT) {
    throw refuse(`it must be a JSON object whose format is "${FORMAT}"`);
  }
  const head = parseHead(input);
  const rows = parseTables(input['tables']);
  assertFirstAccount(rows);
  assertSigningKey(rows, head);
  assertWebhookHold(rows);
  assertLanes(rows);
  return { ...head, rows };
}

function parseHead(input: Readonly<Record<string, unknown>>): Head {
  const { version, takenAt, frozen, secrets, webhooks } = input;
  if (version !== LOG_FORMAT) {
    throw refuse(
      `its version is ${JSON.stringify(version)}, but this version of ofage reads only ${LOG_FORMAT}`,
    );
  }
  const takenAtMs = typeof takenAt === 'string' ? Date.parse(takenAt) : NaN;
  if (Number.isNaN(takenAtMs)) throw refuse('takenAt must be a valid ISO 8601 date string');
  if (!isClockTime(takenAtMs)) throw refuse('takenAt must not be later than 1 December 9999');
  if (typeof frozen !== 'boolean') throw refuse('frozen must be a boolean value');
  if (secrets !== undefined && secrets !== 'omitted')
    throw refuse('secrets must be "omitted" or absent');
  if (webhooks !== undefined && webhooks !== 'held')
    throw refuse('webhooks must be "held" or absent');
  return {
    takenAtMs,
    frozen,
    isWithoutSecrets: secrets === 'omitted',
    isHeld: webhooks === 'held',
  };
}

function parseTables(tables: unknown): LabelledRow[] {
  if (!isRecord(tables)) throw refuse('tables must be an object');
  return Object.keys(tables).flatMap((name) => parseTable(name, tables[name]));
}

function parseTable(name: string, rows: unknown): LabelledRow[] {
  if (!isTable(name) || !isSaved(name)) throw refuse(`unknown table "${name}"`);
  if (!Array.isArray(rows)) throw refuse(`tables.${name} must be an array`);
  const ids = new Set<string>();
  return rows.map((row: unknown, index) => {
    const place = `tables.${name}[${index}]`;
    if (!isRecord(row)) throw refuse(`${place} must be an object`);
    const { id } = row;
    if (typeof id !== 'string' || id === '' || !line.holds(id))
      throw refuse(`${place}.id must be ${line.name}`);
    if (ids.has(id)) throw refuse(`${place}.id is not unique: "${id}"`);
    ids.add(id);
    const problem = findRowProblem(name, row);
    if (problem) throw refuse(`${place}.${problem}`);
    return [name, { ...row, id }] as const;
  });
}

/** Returns the rows of one table. */
function rowsOf<T extends SnapshotTable>(rows: readonly LabelledRow[], table: T): Rows[T][] {
  // The cast is safe, because parseTable has checked every column of these rows.
  return rows.filter(([name]) => name === table).map(([, row]) => row as unknown as Rows[T]);
}

/**
 * The first account needs a key pair, because applications are configured with its keys and a reset keeps
 * them.
 */
function assertFirstAccount(rows: readonly LabelledRow[]): void {
  const [first] = rowsOf(rows, 'tenants');
  if (!first) throw refuse('it has no account');
  const keys = rowsOf(rows, 'keys').filter(({ tenantId }) => tenantId === first.id);
  const secretPairs = keys.filter(({ kind }) => kind === 'secret').map(({ pairId }) => pairId);
  const hasPair = keys.some(
    ({ kind, pairId }) => kind === 'publishable' && secretPairs.includes(pairId),
  );
  if (!hasPair) throw refuse(`its first account, "${first.id}", has no key pair`);
}

/** A snapshot without secrets may lack the key, because the running one stays. */
function assertSigningKey(rows: readonly LabelledRow[], { isWithoutSecrets }: Head): void {
  const key = rowsOf(rows, 'settings').find(({ id }) => id === SIGNING_KEY_ID);
  if (!key && isWithoutSecrets) return;
  // Web Crypto does not accept an empty key.
  if (!key || key.value === '') throw refuse('the key that signs session tokens is missing');
}

function assertWebhookHold(rows: readonly LabelledRow[]): void {
  const hold = rowsOf(rows, 'settings').find(({ id }) => id === WEBHOOK_HOLD_ID);
  if (hold && !isInstant(parseWebhookHold(hold)))
    throw refuse('the time of the hold on its webhooks is not valid');
}

/** The rules rely on the health of each endpoint's address. */
function assertLanes(rows: readonly LabelledRow[]): void {
  const lanes = new Set(rowsOf(rows, 'endpointHealth').map(({ id }) => id));
  for (const { id: endpointId, url } of rowsOf(rows, 'endpoints')) {
    if (!lanes.has(toLaneId({ endpointId, url })))
      throw refuse(`the endpoint "${endpointId}" has no row in tables.endpointHealth for its URL`);
  }
}

function isTable(name: string): name is TableName {
  return Object.hasOwn(INDEXES, name);
}

/** Tells whether a snapshot contains the table. The clock is stored separately. */
function isSaved(table: TableName): table is SnapshotTable {
  return table !== 'clock';
}

function refuse(reason: string): ServiceError {
  return new ServiceError('invalid_body', `Cannot load the snapshot: ${reason}`);
}

/** The rows of a snapshot, by table. */
interface Tables {
  [table: string]: { id: string }[];
}

/** Stands in a snapshot in place of a key or a signing secret, and has the form of a key. */
const OMITTED = 'omitted';

/**
 * Returns a copy of the tables without keys, endpoint secrets, tokens and the key that signs tokens. They
 * are also removed from all other texts, such as the log of requests and the URLs.
 */
function omitSecrets({ settings = [], ...tables }: Tables): Tables {
  const keys = (tables['keys'] ?? []) as KeyRow[];
  const endpoints = (tables['endpoints'] ?? []) as EndpointRow[];
  const secrets = [
    ...settings
      .filter(({ id }) => id === SIGNING_KEY_ID || id.startsWith(RESERVED_PREFIX))
      .map((row) => (row as { value?: unknown }).value),
    ...keys.map(({ value }) => value),
    ...endpoints.map(({ secret }) => secret),
  ].filter((secret) => typeof secret === 'string');
  const hide = createRedaction(secrets);
  const emptied = {
    ...tables,
    keys: keys.map((key) => ({ ...key, value: OMITTED })),
    endpoints: endpoints.map((endpoint) => ({
      ...endpoint,
      secret: endpoint.secret === null ? null : OMITTED,
    })),
  };
  return mapTexts(emptied, (text) => hide(text)) as Tables;
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
interface RunningSecrets {
  readonly publishableKey: string;
  readonly secretKey: string;
  /** The secret of its first endpoint, also if that does not exist yet. */
  readonly webhookSecret: string | null;
  /** Secrets of the endpoints, by URL. Null for an endpoint that does not sign. */
  readonly endpoints: ReadonlyMap<string, string | null>;
}

function readRunningSecrets(db: Db, demo: Demo): RunningSecrets {
  const endpoints = db.find('endpoints', 'tenantId', demo.tenantId);
  return { ...demo, endpoints: new Map(endpoints.map(({ url, secret }) => [url, secret])) };
}

/**
 * Fills in the keys and secrets that a loaded snapshot does not have. The first account gets those of
 * `running`, so that applications that are configured with them keep working. All others are new.
 * @param tenantId The first account of the loaded snapshot.
 */
function fillSecrets(
  db: Db,
  tenantId: string,
  { running, random }: { running: RunningSecrets; random: Random },
): void {
  const pairs = listPairs(db, tenantId);
  const pair = pairs.find(isActivePair) ?? pairs[0];
  if (pair) {
    db.put('keys', { ...pair.publishable, value: running.publishableKey });
    db.put('keys', { ...pair.secret, value: running.secretKey });
  }
  // The rows are copied first, because a table must not change during an iteration.
  const filled = [pair?.publishable.id, pair?.secret.id];
  const others = [...db.all('keys')].filter(({ id }) => !filled.includes(id));
  for (const key of others) db.put('keys', { ...key, value: newKeyValue(db, key.kind, random) });
  const endpoints = [...db.all('endpoints')];
  for (const endpoint of endpoints) {
    // Null says that the endpoint does not sign, which is no secret.
    if (endpoint.secret === null) continue;
    const known = endpoint.tenantId === tenantId ? running.endpoints.get(endpoint.url) : null;
    db.put('endpoints', { ...endpoint, secret: known ?? newWebhookSecret(db, random) });
  }
  if (running.webhookSecret !== null) reserveSecret(db, tenantId, running.webhookSecret);
}
