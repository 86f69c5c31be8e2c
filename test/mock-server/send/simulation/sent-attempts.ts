import type { DeliveryRow, EventRow } from '../../../../mock-server/store/rows.ts';
import type { Rows } from '../../../../mock-server/store/tables.ts';
import { type DurableRows, groupBy, type Health, type Place } from './durable-rows.ts';
import type { Behaviour } from './scenario.ts';
import type { Sent } from './sent.ts';

/** One attempt: the engine's record together with the request on the network. */
export interface SentAttempt {
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
  /**
   * The number of the attempt since the event or its last redelivery, from 1. Lost attempts do not count,
   * so the attempt after a lost one has the same number.
   */
  readonly n: number;
  /**
   * True if the event was attempted as an inline event. An event is no longer inline after a redelivery.
   */
  readonly isInline: boolean;
}

type Shared = Pick<SentAttempt, 'sent' | 'url' | 'verdict' | 'retryAfterMs' | 'endMs'>;

/** Finds the engine's record for each request on the network. */
export class AttemptMatcher {
  readonly attempts: SentAttempt[] = [];
  /** Requests that belong to no attempt of the engine. */
  readonly strays: Sent[] = [];
  readonly #rows: DurableRows;
  readonly #sent = new Set<string>();

  constructor(rows: DurableRows) {
    this.#rows = rows;
    this.#read();
  }

  #read(): void {
    const places = groupBy(this.#rows.deliveries.keys(), (id) => {
      const { url, eventId } = this.#rows.lastOf(id);
      const event = this.#rows.events.get(eventId);
      return `${url} ${event?.sessionId} ${event?.kind}`;
    });
    const counts = new Map<string, number>();
    for (const sent of this.#rows.trace.sent) {
      const body = JSON.parse(sent.bodyText) as { test: boolean; event: string; data: any };
      const shared = {
        sent,
        url: sent.url,
        verdict: toVerdict(sent.behaviour),
        retryAfterMs: toRetryAfterMs(sent.behaviour),
        endMs: sent.endMs ?? this.#rows.trace.endMs,
      };
      const one = body.test
        ? this.#toTest(shared)
        : this.#toAttempt(
            shared,
            places.get(`${sent.url} ${body.data.sessionId} ${body.event}`) ?? [],
            counts,
          );
      if (one) this.attempts.push(one);
      else this.strays.push(sent);
    }
  }

  #toAttempt(
    shared: Shared,
    candidates: readonly string[],
    counts: Map<string, number>,
  ): SentAttempt | null {
    const { atMs, process } = shared.sent;
    // Two endpoints may share a URL. The request that was claimed first is sent first.
    const [found] = candidates
      .flatMap((candidate) =>
        (this.#rows.claims.get(candidate) ?? [])
          .filter(
            ({ id, startedAtMs, place }) =>
              startedAtMs === atMs &&
              this.#rows.trace.log[place.commit]?.process === process &&
              !this.#sent.has(id),
          )
          .map((claim) => ({ id: candidate, claim })),
      )
      .sort((a, b) => a.claim.place.order - b.claim.place.order);
    if (!found) return null;
    const { id, claim } = found;
    this.#sent.add(claim.id);
    const last = this.#rows.deliveries.get(id)!.at(-1)!;
    const finish = this.#rows.records.get(claim.id);
    const series = this.#rows.seriesOf(id).filter(({ order }) => order < claim.place.order).length;
    const key = `${id}/${series}`;
    const n = (counts.get(key) ?? 0) + 1;
    if (finish) counts.set(key, n);
    const event = this.#rows.events.get(last.row.eventId) ?? null;
    return {
      ...shared,
      delivery: last.row,
      event,
      owner: this.#rows.ownerOf(last.row.endpointId, last.commit),
      claimed: claim.place,
      recorded: finish?.place ?? null,
      record: finish?.row ?? null,
      n,
      isInline: event?.kind === 'session.started' && series <= 1,
    };
  }

  #toTest(shared: Shared): SentAttempt | null {
    const { atMs, endMs, isOrphan } = shared.sent;
    const operation = this.#rows.trace.operations.find(
      (one) =>
        one.atMs === atMs &&
        (one.operation.kind === 'test' || one.operation.kind === 'resume') &&
        this.#claimOfTest(one.endpointId, atMs, shared.url) !== undefined,
    );
    if (!operation) return null;
    const claimed = this.#claimOfTest(operation.endpointId, atMs, shared.url)!;
    const owner = this.#rows.ownerOf(operation.endpointId, claimed.commit);
    const token = claimed.row?.testToken;
    const next = this.#rows.health
      .get(owner)
      ?.find(
        ({ commit, url, row }) =>
          commit > claimed.commit && url === shared.url && row?.testToken !== token,
      );
    // A test that was claimed rejects only if the process closes, which releases it without a result.
    const isReleased = operation.result instanceof Error;
    const isRecorded = !isOrphan && !isReleased && next?.row != null && next.atMs === endMs;
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
    const commit = this.#rows.commitAt(atMs);
    const owner = this.#rows.ownerOf(id, commit);
    if (this.#rows.configAt(owner, commit)?.url !== url) return undefined;
    return this.#rows.health
      .get(owner)
      ?.findLast((one) => one.url === url && one.atMs === atMs && one.row?.testToken != null);
  }
}

export type Verdict = 'ok' | 'reject' | 'fail';

/** Returns the outcome that the engine must record for a behaviour. */
export function toVerdict(behaviour: Behaviour): Verdict {
  switch (behaviour.kind) {
    case 'status': {
      const { status } = behaviour;
      if (status >= 200 && status < 300) return 'ok';
      return [400, 401, 403, 404, 410, 422].includes(status) ? 'reject' : 'fail';
    }
    case 'endless':
    case 'limited':
    case 'dns_flip':
      return 'ok';
    case 'dns_mixed':
    case 'dns_private':
      return 'reject';
    case 'redirect':
      return judgeRedirect(behaviour);
    default:
      return 'fail';
  }
}

/** Returns the valid Retry-After of a receiver in milliseconds, or 0 if there is none. */
export function toRetryAfterMs(behaviour: Behaviour): number {
  if (behaviour.kind !== 'status' || ![429, 503].includes(behaviour.status)) return 0;
  const text = behaviour.retryAfter ?? '';
  return /^\d+$/.test(text) ? Math.min(Number(text), 3_600) * 1_000 : 0;
}

function judgeRedirect({ status, hops, to }: Extract<Behaviour, { kind: 'redirect' }>): Verdict {
  if (status === 303) return 'fail';
  if (hops > 5) return 'fail';
  switch (to) {
    case 'final':
      return 'ok';
    case 'private':
    case 'http':
      return 'reject';
    case 'nowhere':
      return 'fail';
  }
}
