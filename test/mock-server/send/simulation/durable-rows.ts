import type {
  DeliveryRow,
  EndpointHealthRow,
  EndpointRow,
  EventRow,
  SessionRow,
} from '../../../../mock-server/store/rows.ts';
import type { Rows } from '../../../../mock-server/store/tables.ts';
import type { Trace } from './world.ts';

/** A place in the durable log: its commit, and the order of its change in the whole log. */
export interface Place {
  readonly commit: number;
  readonly order: number;
  readonly atMs: number;
}

/** The claim of an attempt: the row that the engine writes before it sends the request. */
export interface Claim {
  readonly id: string;
  readonly startedAtMs: number;
  readonly place: Place;
}

export interface Config extends Place {
  readonly row: EndpointRow | null;
}

/** The health of one URL of an endpoint. */
export interface Health extends Place {
  readonly url: string;
  readonly row: EndpointHealthRow | null;
  /** Time at which the endpoint last accepted a request, at any URL. */
  readonly lastSuccessAtMs: number | null;
}

export interface DeliveryState extends Place {
  readonly row: DeliveryRow;
}

/**
 * The rows of a scenario's durable log, with the place at which each was written. An endpoint that was
 * migrated from the legacy webhook keeps one owner id, so that the checks cover the migration.
 */
export class DurableRows {
  readonly trace: Trace;
  readonly configs = new Map<string, Config[]>();
  /** The health rows, keyed by endpoint. */
  readonly health = new Map<string, Health[]>();
  readonly deliveries = new Map<string, DeliveryState[]>();
  readonly events = new Map<string, EventRow & { readonly place: Place }>();
  /** The last row of each session. */
  readonly sessions = new Map<string, SessionRow>();
  /**
   * The claims, keyed by delivery. An attempt that a crash ended and the next one may start at the same
   * time.
   */
  readonly claims = new Map<string, Claim[]>();
  /** The first row of each attempt that has an outcome other than `lost`. */
  readonly records = new Map<string, { place: Place; row: Rows['attempts'] }>();
  readonly #migrations = new Map<string, { commit: number; owner: string }[]>();
  /** Times of the last success, keyed by endpoint and URL. */
  readonly #successes = new Map<string, Map<string, number>>();

  constructor(trace: Trace) {
    this.trace = trace;
    this.#findMigrations();
    this.#readLog();
  }

  /** Returns the owner id for the id of an endpoint or a lane. */
  ownerOf(id: string, commit: number): string {
    const [bare = ''] = id.split(' ');
    const migrations = this.#migrations.get(bare);
    return migrations?.find((one) => one.commit >= commit)?.owner ?? bare;
  }

  /** Returns the last element of a list at or before a commit. */
  at<T extends Place>(list: readonly T[] | undefined, commit: number): T | undefined {
    return list?.findLast((one) => one.commit <= commit);
  }

  configAt(owner: string, commit: number): Config['row'] {
    return this.at(this.configs.get(owner), commit)?.row ?? null;
  }

  /** Returns the last row of a delivery, even if it was deleted later. */
  lastOf(id: string): DeliveryRow {
    return this.deliveries.get(id)!.at(-1)!.row;
  }

  /** Returns the last commit at or before the given time. */
  commitAt(atMs: number): number {
    return this.trace.log.findLastIndex((entry) => entry.atMs <= atMs);
  }

  /** Returns the start of each series of a delivery: its creation and each redelivery. */
  seriesOf(id: string): Place[] {
    const states = this.deliveries.get(id)!;
    return states.filter(
      ({ row }, at) => at === 0 || row.redeliveryNo > states[at - 1]!.row.redeliveryNo,
    );
  }

  #findMigrations(): void {
    const legacy = new Map<string, EndpointRow>();
    for (const [commit, { changes }] of this.trace.log.entries()) {
      for (const [table, tenantId, row] of changes) {
        if (table !== 'endpoints') continue;
        const known = legacy.get(tenantId);
        const endpoint = row as EndpointRow | null;
        if (endpoint?.kind === 'legacy') legacy.set(tenantId, endpoint);
        if (!known || row) continue;
        const created = changes.find(
          ([other, , one]) =>
            other === 'endpoints' && (one as EndpointRow | null)?.url === known.url,
        );
        if (!created) continue;
        const list = this.#migrations.get(tenantId) ?? [];
        this.#migrations.set(tenantId, [...list, { commit, owner: created[1] }]);
      }
    }
  }

  #readLog(): void {
    for (const [commit, { atMs, changes }] of this.trace.log.entries()) {
      for (const [at, [table, id, row]] of changes.entries()) {
        const place = { commit, atMs, order: commit * 65_536 + at };
        switch (table) {
          case 'endpoints':
            this.#readConfig(place, id, row as EndpointRow | null);
            break;
          case 'endpointHealth':
            this.#readHealth(place, id, row as EndpointHealthRow | null);
            break;
          case 'deliveries':
            // Only retention deletes these rows, after everything has ended.
            if (row) push(this.deliveries, id, { ...place, row: row as DeliveryRow });
            break;
          case 'events':
            if (row && !this.events.has(id)) this.events.set(id, { ...(row as EventRow), place });
            break;
          case 'sessions':
            if (row) this.sessions.set(id, row as SessionRow);
            break;
          case 'attempts':
            if (row) this.#readAttempt(place, row as Rows['attempts']);
            break;
        }
      }
    }
  }

  #isMigrated(id: string, commit: number): boolean {
    return this.#migrations.get(id)?.some((one) => one.commit === commit) ?? false;
  }

  #readConfig(place: Place, id: string, row: EndpointRow | null): void {
    if (!row && this.#isMigrated(id, place.commit)) return;
    push(this.configs, this.ownerOf(id, place.commit), { ...place, row });
  }

  #readHealth(place: Place, id: string, row: EndpointHealthRow | null): void {
    const [endpointId = '', url = ''] = id.split(' ');
    if (!row && this.#isMigrated(endpointId, place.commit)) return;
    const owner = this.ownerOf(endpointId, place.commit);
    const successes = this.#successes.get(owner) ?? new Map<string, number>();
    this.#successes.set(owner, successes);
    if (row?.lastSuccessAtMs != null) successes.set(url, row.lastSuccessAtMs);
    else successes.delete(url);
    const lastSuccessAtMs = successes.size === 0 ? null : Math.max(...successes.values());
    push(this.health, owner, { ...place, url, row, lastSuccessAtMs });
  }

  #readAttempt(place: Place, row: Rows['attempts']): void {
    const { id, deliveryId, startedAtMs } = row;
    const isKnown = this.claims.get(deliveryId)?.some((claim) => claim.id === id) ?? false;
    if (!isKnown) push(this.claims, deliveryId, { id, startedAtMs, place });
    const isOver = row.finishedAtMs !== null && row.outcome !== 'lost';
    if (isOver && !this.records.has(row.id)) this.records.set(row.id, { place, row });
  }
}

/** Groups the items by key and keeps their order. */
export function groupBy<K, T>(all: Iterable<T>, keyOf: (one: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const one of all) push(groups, keyOf(one), one);
  return groups;
}

function push<K, T>(lists: Map<K, T[]>, key: K, value: T): void {
  const list = lists.get(key);
  if (list) list.push(value);
  else lists.set(key, [value]);
}
