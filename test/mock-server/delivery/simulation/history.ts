import type {
  DeliveryRow,
  EndpointHealthRow,
  EndpointRow,
  EventRow,
  Rows,
  SessionRow,
} from '../../../../mock-server/core/tables.ts';
import type { Sent } from './sent.ts';
import { judge, toRetryAfterMs, type Verdict } from './verdicts.ts';
import { START_MS, type Trace } from './world.ts';

export const SECOND = 1_000;
export const HOUR = 3_600 * SECOND;
export const DAY = 24 * HOUR;

/** A place in the durable log: the commit, and the order of the transaction in it. */
export interface Place {
  readonly commit: number;
  readonly order: number;
  readonly atMs: number;
}

/** One attempt: the engine's record together with the request on the network. */
export interface Try {
  readonly sent: Sent;
  /** Null for a test event. */
  readonly delivery: DeliveryRow | null;
  readonly event: EventRow | null;
  /** The id of the endpoint. It stays the same when the legacy webhook becomes an endpoint. */
  readonly owner: string;
  readonly url: string;
  readonly verdict: Verdict;
  readonly retryAfterMs: number;
  readonly claimed: Place;
  /** The place at which the outcome became durable, or null if it never did. */
  readonly recorded: Place | null;
  readonly record: Rows['attempts'] | null;
  /** Time at which the request ended on the network. */
  readonly endMs: number;
  /** The number of the attempt since the event or its redelivery. The first that was not lost is 1. */
  readonly n: number;
  /** True if attempted as an inline event. After a redelivery it no longer is one. */
  readonly isInline: boolean;
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

/** The start or the end of a pause. */
export interface Pause extends Place {
  readonly isPause: boolean;
}

export interface DeliveryState extends Place {
  readonly row: DeliveryRow;
}

/**
 * The history of a scenario, read from the durable log and the network. An endpoint that was migrated from
 * the legacy webhook keeps one owner id, so that the checks cover the migration.
 */
export class History {
  readonly trace: Trace;
  readonly tries: Try[] = [];
  readonly configs = new Map<string, Config[]>();
  /** Keyed by endpoint. */
  readonly health = new Map<string, Health[]>();
  readonly deliveries = new Map<string, DeliveryState[]>();
  readonly events = new Map<string, EventRow & { readonly place: Place }>();
  /** The last row of each session. */
  readonly sessions = new Map<string, SessionRow>();
  /** Requests without a recorded attempt. */
  readonly strays: Sent[] = [];
  readonly #migrations = new Map<string, { commit: number; owner: string }[]>();
  /** Keyed by delivery. An attempt that a crash ended and the next one may start at the same time. */
  readonly #claims = new Map<string, { id: string; startedAtMs: number; place: Place }[]>();
  readonly #pauses = new Map<string, readonly Pause[]>();
  /** Times of the last success, keyed by endpoint and URL. */
  readonly #successes = new Map<string, Map<string, number>>();
  readonly #sent = new Set<string>();
  readonly #records = new Map<string, { place: Place; row: Rows['attempts'] }>();

  constructor(trace: Trace) {
    this.trace = trace;
    this.#findMigrations();
    this.#readLog();
    this.#readTries();
  }

  /** Returns the owner id for the id of an endpoint or a lane. */
  ownerOf(id: string, commit: number): string {
    const [bare = ''] = id.split(' ');
    const migrations = this.#migrations.get(bare);
    return migrations?.find((one) => one.commit >= commit)?.owner ?? bare;
  }

  /** Returns the attempts of each lane, including tests, in the order in which they were sent. */
  lanes(): Try[][] {
    return [...groupBy(this.tries, ({ owner, url }) => `${owner} ${url}`).values()];
  }

  /** Returns the last element of a list at or before a commit. */
  at<T extends Place>(list: readonly T[] | undefined, commit: number): T | undefined {
    return list?.findLast((one) => one.commit <= commit);
  }

  configAt(owner: string, commit: number): Config['row'] {
    return this.at(this.configs.get(owner), commit)?.row ?? null;
  }

  isPausedAt(owner: string, commit: number): boolean {
    return this.configAt(owner, commit)?.pause != null;
  }

  /** Returns the last row of a delivery, even if it was deleted later. */
  lastOf(id: string): DeliveryRow {
    return this.deliveries.get(id)!.at(-1)!.row;
  }

  /** Returns the last commit at or before the given time. */
  commitAt(atMs: number): number {
    return this.trace.log.findLastIndex((entry) => entry.atMs <= atMs);
  }

  /** Returns the places at which the endpoint's URL was set or changed. */
  moves(owner: string): (Place & { readonly from: string | null; readonly to: string | null })[] {
    const list = this.configs.get(owner) ?? [];
    return list.flatMap(({ row, ...place }, at) => {
      const from = list[at - 1]?.row?.url ?? null;
      const to = row?.url ?? null;
      return from === to ? [] : [{ ...place, from, to }];
    });
  }

  /** Returns the starts and ends of pauses. A deletion ends a pause as well. */
  pauses(owner: string): readonly Pause[] {
    const known = this.#pauses.get(owner);
    if (known) return known;
    let was = false;
    const found = (this.configs.get(owner) ?? []).flatMap(({ row, ...place }) => {
      const isPause = row?.pause != null;
      if (isPause === was) return [];
      was = isPause;
      return [{ ...place, isPause }];
    });
    this.#pauses.set(owner, found);
    return found;
  }

  resumes(owner: string): Place[] {
    return this.pauses(owner).filter(({ isPause }) => !isPause);
  }

  /** Returns the start of each series of a delivery: its creation and each redelivery. */
  seriesOf(id: string): Place[] {
    const states = this.deliveries.get(id)!;
    return states.filter(
      ({ row }, at) => at === 0 || row.redeliveryNo > states[at - 1]!.row.redeliveryNo,
    );
  }

  /**
   * Returns when the first attempt of an event was written, for any endpoint. A crash may come before its
   * request is sent.
   */
  firstClaimMs(eventId: string): number | undefined {
    const [first] = [...this.#claims]
      .flatMap(([id, claims]) => (this.lastOf(id).eventId === eventId ? claims : []))
      .sort((a, b) => a.place.order - b.place.order);
    return first?.place.atMs;
  }

  /** Tells whether an attempt of a delivery, optionally before a place, never had a recorded outcome. */
  wasCutShort(id: string, before?: Place): boolean {
    const claims = this.#claims.get(id) ?? [];
    return claims.some(
      (claim) => !this.#records.has(claim.id) && (!before || claim.place.order < before.order),
    );
  }

  isDownAt(atMs: number): boolean {
    return this.trace.crashes.some((crash) => crash.atMs <= atMs && atMs < crash.upMs);
  }

  say(ms: number): string {
    return `${((ms - START_MS) / SECOND).toFixed(3)} s`;
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
    const isKnown = this.#claims.get(deliveryId)?.some((claim) => claim.id === id) ?? false;
    if (!isKnown) push(this.#claims, deliveryId, { id, startedAtMs, place });
    const isOver = row.finishedAtMs !== null && row.outcome !== 'lost';
    if (isOver && !this.#records.has(row.id)) this.#records.set(row.id, { place, row });
  }

  #readTries(): void {
    const places = groupBy(this.deliveries.keys(), (id) => {
      const { url, eventId } = this.lastOf(id);
      const event = this.events.get(eventId);
      return `${url} ${event?.sessionId} ${event?.kind}`;
    });
    const counts = new Map<string, number>();
    for (const sent of this.trace.sent) {
      const body = JSON.parse(sent.bodyText) as { test: boolean; event: string; data: any };
      const shared = {
        sent,
        url: sent.url,
        verdict: judge(sent.behaviour),
        retryAfterMs: toRetryAfterMs(sent.behaviour),
        endMs: sent.endMs ?? this.trace.endMs,
      };
      const one = body.test
        ? this.#toTest(shared)
        : this.#toTry(
            shared,
            places.get(`${sent.url} ${body.data.sessionId} ${body.event}`) ?? [],
            counts,
          );
      if (one) this.tries.push(one);
      else this.strays.push(sent);
    }
  }

  #toTry(
    shared: Pick<Try, 'sent' | 'url' | 'verdict' | 'retryAfterMs' | 'endMs'>,
    candidates: readonly string[],
    counts: Map<string, number>,
  ): Try | null {
    const { atMs, process } = shared.sent;
    // Two endpoints may share a URL. The request that was claimed first is sent first.
    const [found] = candidates
      .flatMap((candidate) =>
        (this.#claims.get(candidate) ?? [])
          .filter(
            ({ id, startedAtMs, place }) =>
              startedAtMs === atMs &&
              this.trace.log[place.commit]?.process === process &&
              !this.#sent.has(id),
          )
          .map((claim) => ({ id: candidate, claim })),
      )
      .sort((a, b) => a.claim.place.order - b.claim.place.order);
    if (!found) return null;
    const { id, claim } = found;
    this.#sent.add(claim.id);
    const last = this.deliveries.get(id)!.at(-1)!;
    const finish = this.#records.get(claim.id);
    const series = this.seriesOf(id).filter(({ order }) => order < claim.place.order).length;
    const key = `${id}/${series}`;
    const n = (counts.get(key) ?? 0) + 1;
    if (finish) counts.set(key, n);
    const event = this.events.get(last.row.eventId) ?? null;
    return {
      ...shared,
      delivery: last.row,
      event,
      owner: this.ownerOf(last.row.endpointId, last.commit),
      claimed: claim.place,
      recorded: finish?.place ?? null,
      record: finish?.row ?? null,
      n,
      isInline: event?.kind === 'session.started' && series <= 1,
    };
  }

  #toTest(shared: Pick<Try, 'sent' | 'url' | 'verdict' | 'retryAfterMs' | 'endMs'>): Try | null {
    const { atMs, endMs, isOrphan } = shared.sent;
    const operation = this.trace.operations.find(
      (one) =>
        one.atMs === atMs &&
        (one.operation.kind === 'test' || one.operation.kind === 'resume') &&
        this.#claimOfTest(one.endpointId, atMs, shared.url) !== undefined,
    );
    if (!operation) return null;
    const claimed = this.#claimOfTest(operation.endpointId, atMs, shared.url)!;
    const owner = this.ownerOf(operation.endpointId, claimed.commit);
    const token = claimed.row?.testToken;
    const next = this.health
      .get(owner)
      ?.find(
        ({ commit, url, row }) =>
          commit > claimed.commit && url === shared.url && row?.testToken !== token,
      );
    const isRecorded = !isOrphan && next?.row != null && next.atMs === endMs;
    return {
      ...shared,
      delivery: null,
      event: null,
      owner,
      claimed,
      recorded: isRecorded ? next : null,
      record: null,
      n: 1,
      isInline: false,
    };
  }

  #claimOfTest(id: string, atMs: number, url: string): Health | undefined {
    const commit = this.commitAt(atMs);
    const owner = this.ownerOf(id, commit);
    if (this.configAt(owner, commit)?.url !== url) return undefined;
    return this.health
      .get(owner)
      ?.findLast((one) => one.url === url && one.atMs === atMs && one.row?.testToken != null);
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
