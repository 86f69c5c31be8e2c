import { DAY, HOUR, SECOND, type Health, type History, type Place, type Try } from './history.ts';
import type { Report } from './report.ts';

/** H1 to H6, H8: when an endpoint is paused, and that nothing goes to one that is paused or disabled. */
export function checkPauses(history: History, report: Report): void {
  for (const owner of history.configs.keys()) {
    const tries = history.tries.filter((one) => one.owner === owner);
    checkRuns(history, report, owner, tries);
    checkResumes(history, report, owner, tries);
    checkNotices(history, report, owner);
    checkStops(history, report, owner);
    checkHealth(history, report, owner, tries);
  }
  for (const one of history.tries) if (one.delivery) checkAllowed(history, report, one);
  checkOutbox(history, report);
}

/** Ten minutes of backoff, or an hour of `Retry-After` on top. */
const LONGEST_WAIT_MS = 4_200 * SECOND;

interface Failure {
  readonly atMs: number;
  readonly isReject: boolean;
}

/** H2, H3: each pause has its hour or its day of failures, and each such hour or day its pause. */
function checkRuns(history: History, report: Report, owner: string, tries: readonly Try[]): void {
  const pauses = history.pauses(owner).filter(({ isPause }) => isPause);
  /** Runs as they were after each commit that changed them. */
  const seen: { commit: number; run: readonly Failure[] }[] = [];
  let run: readonly Failure[] = [];
  let markedMs: number | null = null;
  let hourFromMs: number | null = null;
  for (const step of toOutcomes(history, owner, tries)) {
    const { one, place } = step;
    if (markedMs !== null && place.atMs > markedMs) {
      checkTimer(history, report, owner, run, markedMs);
      markedMs = null;
    }
    if (!one || one.verdict === 'ok') run = [];
    else run = [...run, { atMs: place.atMs, isReject: one.verdict === 'reject' }];
    seen.push({ commit: place.commit, run });
    if (run.length === 0) [markedMs, hourFromMs] = [null, null];
    if (run.length === 1) markedMs = run[0]!.atMs + DAY;
    if (!one || run.length === 0) continue;
    // An hour of rejections that did not last.
    if (one.verdict === 'reject') hourFromMs ??= place.atMs;
    else if (hourFromMs !== null && run.length >= 3) {
      report.saw('H2 unbroken');
      hourFromMs = null;
    }
    if (!isDue(run, place.atMs)) continue;
    report.saw('H3');
    const config = history.configAt(owner, place.commit);
    if (config?.enabled && !history.isPausedAt(owner, place.commit))
      report.fail('H3', `${config.url} should have been paused at ${history.say(place.atMs)}`);
  }
  if (markedMs !== null) checkTimer(history, report, owner, run, markedMs);

  for (const pause of pauses) {
    report.saw('H2');
    // All that was known then; outcomes of the same commit may stand before the pause or after it.
    const known = [
      ...seen.filter(({ commit }) => commit === pause.commit),
      ...seen.filter(({ commit }) => commit < pause.commit).slice(-1),
    ];
    if (!known.some((one) => isReason(one.run, pause.atMs)))
      report.fail('H2', `${owner} was paused at ${history.say(pause.atMs)}, without a reason`);
  }
}

/** Whether failures have gone on for long enough, an unbroken hour of rejections or a day of any. */
function isDue(run: readonly Failure[], nowMs: number): boolean {
  const [first] = run;
  if (!first || run.length < 3) return false;
  const reject = run[run.findLastIndex(({ isReject }) => !isReject) + 1];
  return nowMs - first.atMs >= DAY || (reject !== undefined && nowMs - reject.atMs >= HOUR);
}

/** A pause comes with a failure, or by the timer; failures that stopped long before say nothing about now. */
function isReason(run: readonly Failure[], nowMs: number): boolean {
  const [first] = run;
  const last = run.at(-1);
  if (!first || !last) return false;
  const isTimer = nowMs - first.atMs >= DAY && last.atMs >= first.atMs + DAY - LONGEST_WAIT_MS;
  return isDue(run, nowMs) && (last.atMs === nowMs || isTimer);
}

/** A day without a success pauses although nothing fails at its end. */
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
  // Stopped or changed by then.
  const settingsAt = (commit: number): string =>
    JSON.stringify({ ...history.configAt(owner, commit), pause: null });
  const isSame = settingsAt(before) === settingsAt(after);
  if (!isSame || !history.configAt(owner, after)?.enabled) return;
  report.saw('H3');
  if (!history.isPausedAt(owner, after))
    report.fail('H3', `${owner} was not paused by the timer at ${history.say(markMs)}`);
}

/** What counted for the endpoint's present address, and when that was forgotten. */
function toOutcomes(
  history: History,
  owner: string,
  tries: readonly Try[],
): { place: Place; one: Try | null }[] {
  const moves = history.moves(owner);
  const urlAt = (order: number): string | null =>
    moves.findLast((move) => move.order <= order)?.to ?? null;
  return [
    ...tries.flatMap((one) =>
      one.recorded &&
      urlAt(one.recorded.order) === one.url &&
      (one.delivery || one.verdict === 'ok')
        ? [{ place: one.recorded, one }]
        : [],
    ),
    ...[...moves, ...history.resumes(owner)].map((place) => ({ place, one: null })),
  ].sort((a, b) => a.place.order - b.place.order);
}

/** H6: a pause ends with a good test that was to end it, or with the endpoint. */
function checkResumes(
  history: History,
  report: Report,
  owner: string,
  tries: readonly Try[],
): void {
  const tests = tries.filter(({ delivery }) => !delivery);
  for (const test of tests) if (history.isPausedAt(owner, test.claimed.commit)) report.saw('H6');
  for (const { commit, atMs } of history.resumes(owner)) {
    const isProved =
      tests.some(({ verdict, recorded }) => verdict === 'ok' && recorded?.commit === commit) &&
      history.trace.operations.some(
        (one) =>
          one.operation.kind === 'resume' && atMs >= one.atMs && atMs - one.atMs <= 15 * SECOND,
      );
    if (!isProved && history.configAt(owner, commit) !== null)
      report.fail('H6', `${owner} was resumed without a good test`);
  }
}

/** H4: as many notices as pauses, each with its e-mail. */
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
    report.fail('H4', 'not one e-mail for each notice');
}

/** H5: what waits stops with a pause, with being disabled, and with the endpoint. */
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

/** H1, H5, H6: the state in which an attempt was begun. */
function checkAllowed(history: History, report: Report, one: Try): void {
  const { claimed, owner, url, delivery, sent, isInline } = one;
  const where = `${url} at ${history.say(sent.atMs)}`;
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
    report.fail('I12', `${where}: an inline event is repeated after a crash`);
}

/** H8: what the health says is what happened. */
function checkHealth(history: History, report: Report, owner: string, tries: readonly Try[]): void {
  const successes = [
    ...tries.flatMap(({ verdict, recorded }) =>
      verdict === 'ok' && recorded ? [{ ...recorded, okMs: recorded.atMs }] : [],
    ),
    // A new address or a resume forgets the run, and not when it went well; a deletion forgets all.
    ...history.moves(owner).flatMap((move) => (move.to === null ? [{ ...move, okMs: null }] : [])),
  ].sort((a, b) => a.order - b.order);
  for (const { commit, row, lastSuccessAtMs } of history.health.get(owner) ?? ([] as Health[])) {
    if (!row) continue;
    report.saw('H8');
    const okMs = successes.findLast((one) => one.commit <= commit)?.okMs ?? null;
    if (lastSuccessAtMs !== okMs)
      report.fail('H8', `${owner} says that it went well at ${String(lastSuccessAtMs)}`);
  }
  for (const { endpointId, count } of history.trace.undelivered) {
    if (history.ownerOf(endpointId, history.trace.log.length) !== owner) continue;
    const actual = history.trace
      .rows('deliveries')
      .filter((row) => row.endpointId === endpointId && row.status === 'undelivered').length;
    if (actual !== count) report.fail('H8', `${actual} are undelivered, and it says ${count}`);
  }
}
