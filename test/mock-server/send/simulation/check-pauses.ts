import type { DeliveryRow } from '../../../../mock-server/store/rows.ts';
import type { Health, Place } from './durable-rows.ts';
import { DAY, type History, HOUR, type Pause, SECOND } from './history.ts';
import type { Report } from './report.ts';
import type { SentAttempt } from './sent-attempts.ts';

/**
 * Checks H1 to H6, H8, H11 and I12: when an endpoint is paused, and that a paused or disabled endpoint gets no
 * events.
 */
export function checkPauses(history: History, report: Report): void {
  for (const owner of history.configs.keys()) {
    const attempts = history.attempts.filter((one) => one.owner === owner);
    checkRuns(history, report, owner, attempts);
    checkResumes(history, report, owner, attempts);
    checkNotices(history, report, owner);
    checkStops(history, report, owner);
    checkHealth(history, report, owner, attempts);
  }
  for (const one of history.attempts) if (one.delivery) checkAllowed(history, report, one);
  checkOutbox(history, report);
}

/** The longest wait: ten minutes of backoff and an hour of `Retry-After`. */
const LONGEST_WAIT_MS = 4_200 * SECOND;

interface Failure {
  readonly atMs: number;
  readonly isReject: boolean;
}

/**
 * Checks H2 and H3: each pause follows an hour or a day of failures, and each such hour or day leads to a
 * pause.
 */
function checkRuns(
  history: History,
  report: Report,
  owner: string,
  attempts: readonly SentAttempt[],
): void {
  const pauses = history.pauses(owner).filter(({ isPause }) => isPause);
  /** The runs of failures after each commit that changed them. */
  const runs: { commit: number; run: readonly Failure[] }[] = [];
  let run: readonly Failure[] = [];
  let markedMs: number | null = null;
  let hourFromMs: number | null = null;
  for (const step of toOutcomes(history, owner, attempts)) {
    const { one, place } = step;
    if (markedMs !== null && place.atMs > markedMs) {
      checkTimer(history, report, owner, run, markedMs);
      markedMs = null;
    }
    if (!one || one.verdict === 'ok') run = [];
    else run = [...run, { atMs: place.atMs, isReject: one.verdict === 'reject' }];
    runs.push({ commit: place.commit, run });
    if (run.length === 0) [markedMs, hourFromMs] = [null, null];
    if (run.length === 1) markedMs = run[0]!.atMs + DAY;
    if (!one || run.length === 0) continue;
    // Detect rejections that another kind of failure interrupts before a full hour has passed.
    if (one.verdict === 'reject') hourFromMs ??= place.atMs;
    else if (hourFromMs !== null && run.length >= 3) {
      report.saw('H2 unbroken');
      hourFromMs = null;
    }
    if (!isDue(run, place.atMs)) continue;
    report.saw('H3');
    const config = history.configAt(owner, place.commit);
    if (config?.enabled && !history.isPausedAt(owner, place.commit))
      report.fail(
        'H3',
        `${config.url} should have been paused at ${history.formatTime(place.atMs)}`,
      );
  }
  if (markedMs !== null) checkTimer(history, report, owner, run, markedMs);

  for (const pause of pauses) {
    report.saw('H2');
    // Outcomes in the same commit may come before or after the pause.
    const known = [
      ...runs.filter(({ commit }) => commit === pause.commit),
      ...runs.filter(({ commit }) => commit < pause.commit).slice(-1),
    ];
    if (!known.some((one) => isReason(one.run, pause.atMs)))
      report.fail(
        'H2',
        `${owner} was paused at ${history.formatTime(pause.atMs)}, without a reason`,
      );
    checkOffers(history, report, pause, attempts);
  }
}

/**
 * Checks H11: an endpoint is not paused for rejections before the newer events were offered. Each delivery
 * that is still untried at the pause is older than one that was attempted in the hour before, or it arrived
 * within the last requests.
 */
function checkOffers(
  history: History,
  report: Report,
  pause: Pause,
  attempts: readonly SentAttempt[],
): void {
  const { atMs, commit } = pause;
  const row = history.configAt(history.ownerOf(attempts[0]!.owner, commit), commit);
  if (row?.pause?.reason !== 'rejecting') return;
  const isDisturbed =
    history.trace.crashes.some((crash) => crash.upMs > atMs - 2 * HOUR && crash.atMs <= atMs) ||
    attempts.some(({ retryAfterMs, sent }) => retryAfterMs > 0 && sent.atMs > atMs - 2 * HOUR);
  if (isDisturbed) return;
  const newestMs = Math.max(
    ...attempts
      .filter(({ url, delivery, sent }) => delivery && url === row.url && sent.atMs > atMs - HOUR)
      .map(({ delivery }) => delivery!.createdAtMs),
  );
  for (const states of history.deliveries.values()) {
    const before = history.at(states, commit - 1)?.row;
    if (!before || before.url !== row.url || before.endpointId !== row.id) continue;
    if (before.status !== 'pending' || before.leaseUntilMs !== null) continue;
    if (before.attempts > before.baseAttempts || before.redeliveryNo > 0) continue;
    report.saw('H11');
    // Three requests in four offer the newest event, at least once a minute each.
    if (before.createdAtMs > newestMs && before.createdAtMs < atMs - 3 * 60 * SECOND)
      report.fail(
        'H11',
        `${row.url} was paused at ${history.formatTime(atMs)}, but the event of ${history.formatTime(before.createdAtMs)} was not offered`,
      );
  }
}

/** Tells whether the run is long enough: an unbroken hour of rejections, or a day of any failures. */
function isDue(run: readonly Failure[], nowMs: number): boolean {
  const [first] = run;
  if (!first || run.length < 3) return false;
  const reject = run[run.findLastIndex(({ isReject }) => !isReject) + 1];
  return nowMs - first.atMs >= DAY || (reject !== undefined && nowMs - reject.atMs >= HOUR);
}

/** Tells whether a run justifies a pause now. A pause comes with a failure or by the timer. */
function isReason(run: readonly Failure[], nowMs: number): boolean {
  const [first] = run;
  const last = run.at(-1);
  if (!first || !last) return false;
  const isTimer = nowMs - first.atMs >= DAY && last.atMs >= first.atMs + DAY - LONGEST_WAIT_MS;
  return isDue(run, nowMs) && (last.atMs === nowMs || isTimer);
}

/**
 * Checks H3: a day without a success pauses the endpoint, even if no request fails at the end of the day.
 */
function checkTimer(
  history: History,
  report: Report,
  owner: string,
  run: readonly Failure[],
  markMs: number,
): void {
  const { trace } = history;
  if (run.length < 3 || run.at(-1)!.atMs < markMs - LONGEST_WAIT_MS) return;
  const upMs = trace.crashes.find((one) => one.atMs <= markMs && markMs < one.upMs)?.upMs ?? markMs;
  if (upMs >= trace.endMs) return;
  const before = history.commitAt(markMs - 1);
  const after = history.commitAt(upMs + 1);
  // Skip an endpoint that was disabled or changed by then.
  const settingsAt = (commit: number): string =>
    JSON.stringify({ ...history.configAt(owner, commit), pause: null });
  const isSame = settingsAt(before) === settingsAt(after);
  if (!isSame || !history.configAt(owner, after)?.enabled) return;
  report.saw('H3');
  if (!history.isPausedAt(owner, after))
    report.fail('H3', `${owner} was not paused by the timer at ${history.formatTime(markMs)}`);
}

/** Returns the outcomes that count for the endpoint's current URL, and when they were forgotten. */
function toOutcomes(
  history: History,
  owner: string,
  attempts: readonly SentAttempt[],
): { place: Place; one: SentAttempt | null }[] {
  const moves = history.moves(owner);
  const urlAt = (order: number): string | null =>
    moves.findLast((move) => move.order <= order)?.to ?? null;
  return [
    ...attempts.flatMap((one) =>
      one.recorded &&
      urlAt(one.recorded.order) === one.url &&
      (one.delivery || one.verdict === 'ok')
        ? [{ place: one.recorded, one }]
        : [],
    ),
    ...[...moves, ...history.resumes(owner)].map((place) => ({ place, one: null })),
  ].sort((a, b) => a.place.order - b.place.order);
}

/**
 * Checks H6: a pause ends only with a successful test that was meant to end it, or with the deletion of the
 * endpoint.
 */
function checkResumes(
  history: History,
  report: Report,
  owner: string,
  attempts: readonly SentAttempt[],
): void {
  const tests = attempts.filter(({ delivery }) => !delivery);
  for (const test of tests) if (history.isPausedAt(owner, test.claimed.commit)) report.saw('H6');
  for (const { commit, atMs } of history.resumes(owner)) {
    const isProved =
      tests.some(({ verdict, recorded }) => verdict === 'ok' && recorded?.commit === commit) &&
      history.trace.operations.some(
        (one) =>
          one.operation.kind === 'resume' && atMs >= one.atMs && atMs - one.atMs <= 15 * SECOND,
      );
    if (!isProved && history.configAt(owner, commit) !== null)
      report.fail('H6', `${owner} was resumed without a successful test`);
  }
}

/** Checks H4: there is one notice for each pause. */
function checkNotices(history: History, report: Report, owner: string): void {
  const pauses = history.pauses(owner).filter(({ isPause }) => isPause).length;
  const last = history.trace.log.length;
  const notices = history.trace
    .rows('notices')
    .filter(({ endpointId }) => history.ownerOf(endpointId, last) === owner).length;
  if (pauses > 0) report.saw('H4');
  if (pauses > 1) report.saw('H4 again');
  if (notices !== pauses) report.fail('H4', `${notices} notices of ${pauses} pauses`);
}

function checkOutbox({ trace }: History, report: Report): void {
  const ids = (rows: readonly { id: string }[]): string =>
    rows
      .map(({ id }) => id)
      .sort()
      .join();
  if (ids(trace.rows('notices')) !== ids(trace.rows('emails')))
    report.fail('H4', 'the e-mails do not match the notices');
}

/** Checks H5: waiting deliveries end when the endpoint is paused, disabled or deleted. */
function checkStops(history: History, report: Report, owner: string): void {
  const configs = history.configs.get(owner) ?? [];
  const stops = [
    ...history.pauses(owner).filter(({ isPause }) => isPause),
    ...configs.filter(
      ({ row }, at) => !row?.enabled && (at === 0 || configs[at - 1]!.row?.enabled),
    ),
  ];
  for (const { commit } of stops) {
    for (const states of history.deliveries.values()) {
      const before = history.at(states, commit - 1);
      const after = history.at(states, commit);
      if (!after || history.ownerOf(after.row.endpointId, after.commit) !== owner) continue;
      if (before?.row.status === 'pending') report.saw('H5');
      if (after.row.status === 'pending') report.fail('H5', `${after.row.url} still has events`);
    }
  }
}

/** Checks H1, H5, H6 and I12: an attempt was allowed when it started. */
function checkAllowed(history: History, report: Report, one: SentAttempt): void {
  const { claimed, owner, url, delivery, sent, isInline } = one;
  const where = `${url} at ${history.formatTime(sent.atMs)}`;
  const { commit } = claimed;
  const both = (isSo: (at: number) => boolean): boolean => isSo(commit - 1) && isSo(commit);
  if (both((at) => history.isPausedAt(owner, at))) report.fail('H1', `${where} was paused`);
  const pauses = history.pauses(owner);
  if (pauses.length > 0) report.saw('H1');
  const [made] = history.deliveries.get(delivery!.id)!;
  const resumed = pauses.findLast((pause) => !pause.isPause && pause.commit < commit);
  const isAgain =
    history.seriesOf(delivery!.id).filter(({ order }) => order < claimed.order).length > 1;
  if (resumed && made!.commit < resumed.commit && !isAgain)
    report.fail('H6', `${where}: an event from before the pause ended`);
  if (both((at) => history.configAt(owner, at)?.enabled === false))
    report.fail('H5', `${where} was disabled`);
  if (both((at) => history.configAt(owner, at) === null)) report.fail('H5', `${where} was deleted`);
  if (isInline && history.wasCutShort(delivery!.id, claimed))
    report.fail('I12', `${where}: an inline event was repeated after a crash`);
}

/** Checks H8: the reported health matches the requests. */
function checkHealth(
  history: History,
  report: Report,
  owner: string,
  attempts: readonly SentAttempt[],
): void {
  const successes = [
    ...attempts.flatMap(({ verdict, recorded }) =>
      // A deleted endpoint has no health, even if a later one has the same ID, as legacy webhooks do.
      verdict === 'ok' && recorded && history.configAt(owner, recorded.commit) !== null
        ? [{ ...recorded, okMs: recorded.atMs }]
        : [],
    ),
    // A new URL or a resume clears the run but keeps the last success. A deletion clears both.
    ...history.moves(owner).flatMap((move) => (move.to === null ? [{ ...move, okMs: null }] : [])),
  ].sort((a, b) => a.order - b.order);
  const health = history.health.get(owner) ?? ([] as Health[]);
  for (const [n, { commit, row, lastSuccessAtMs }] of health.entries()) {
    // A commit may write the health of two addresses. It holds once both are written.
    if (!row || health[n + 1]?.commit === commit) continue;
    report.saw('H8');
    const okMs = successes.findLast((one) => one.commit <= commit)?.okMs ?? null;
    if (lastSuccessAtMs !== okMs)
      report.fail('H8', `${owner} has its last success at ${String(lastSuccessAtMs)}`);
  }
  for (const { endpointId, count } of history.trace.undelivered) {
    if (history.ownerOf(endpointId, history.trace.log.length) !== owner) continue;
    const actual = history.trace
      .rows('deliveries')
      .filter((row) => row.endpointId === endpointId && row.status === 'undelivered').length;
    if (actual !== count)
      report.fail('H8', `${actual} are undelivered, but the health has ${count}`);
  }
}

/** Checks H7: a redelivery queues the right events. */
export function checkRedelivery(history: History, report: Report): void {
  const { trace } = history;
  for (const [commit, { atMs, changes }] of trace.log.entries()) {
    const again = changes.flatMap(([table, id, row]) => {
      if (table !== 'deliveries' || !row) return [];
      const before = history.at(history.deliveries.get(id), commit - 1)?.row;
      const after = row as DeliveryRow;
      return before && after.redeliveryNo > before.redeliveryNo ? [{ before, after }] : [];
    });
    const own = trace.operations.filter(
      (one) => one.operation.kind === 'redeliver' && one.atMs === atMs,
    );
    if (again.length > 0) report.saw('H7');
    if (again.length > 500 * own.length)
      report.fail('H7', `${again.length} events in ${own.length} batches`);
    for (const { before, after } of again) {
      if (before.status !== 'undelivered')
        report.fail('H7', `a ${before.status} event is sent again`);
      if (before.createdAtMs < atMs - 7 * DAY)
        report.fail('H7', 'an event is older than seven days');
      if (after.redeliveryNo !== before.redeliveryNo + 1)
        report.fail('H7', 'one event is in two batches');
    }
    for (const { result, endpointId } of own) {
      if (result instanceof Error || result === null || again.length === 0) continue;
      const left = [...history.deliveries.values()].flatMap((states) => {
        const state = history.at(states, commit)?.row;
        const isLeft = state?.endpointId === endpointId && state.status === 'undelivered';
        return isLeft ? [state] : [];
      });
      const old = left.filter(({ createdAtMs }) => createdAtMs < atMs - 7 * DAY);
      if (again.length === 500 || old.length > 0) report.saw('H7 limits');
      // The oldest come first, so no remaining event is older than a queued one.
      const newest = Math.max(...again.map(({ before }) => before.createdAtMs));
      if (left.some((row) => !old.includes(row) && row.createdAtMs < newest))
        report.fail('H7', 'an older event was not queued');
      if (again.length < 500 && left.length > old.length)
        report.fail('H7', `${left.length - old.length} events were not queued`);
    }
  }
}
