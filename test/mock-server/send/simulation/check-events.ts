import { hash } from 'node:crypto';
import type { EventKind } from '../../../../mock-server/store/event-kinds.ts';
import type { DeliveryRow, SessionRow } from '../../../../mock-server/store/rows.ts';
import { type DeliveryState, groupBy, type Place } from './durable-rows.ts';
import { DAY, type History, SECOND } from './history.ts';
import { signNow } from './network.ts';
import type { Report } from './report.ts';
import type { SentAttempt } from './sent-attempts.ts';

/** Checks I2, I4, I12, H5, H9 and H10: each event, its deliveries, and that no session waits for them. */
export function checkEvents(history: History, report: Report): void {
  const { trace } = history;
  const bySession = groupBy(history.events.values(), ({ sessionId }) => sessionId);
  const byEvent = groupBy(history.deliveries.keys(), (id) => history.lastOf(id).eventId);
  for (const session of history.sessions.values()) {
    report.saw('I2');
    const events = bySession.get(session.id) ?? [];
    const wanted = ['session.started', KIND_OF[session.status]].filter((kind) => kind !== null);
    const kinds = events.map(({ kind }) => kind);
    if (kinds.join() !== wanted.join())
      report.fail('I2', `a session that is ${session.status} has ${kinds.join()}`);
    for (const event of events) {
      const rows = (byEvent.get(event.id) ?? []).map((id) => history.deliveries.get(id)![0]!);
      checkRoutes(history, report, { ...event, pairId: session.pairId }, rows);
    }
  }

  for (const { beganMs, endMs } of trace.transitions) {
    const isBusy = trace.sent.some((sent) => sent.atMs < beganMs && (sent.endMs ?? 0) > beganMs);
    if (isBusy) report.saw('I4');
    if (endMs !== beganMs)
      report.fail(
        'I4',
        `a change of a session at ${history.formatTime(beganMs)} waited for webhooks`,
      );
  }
}

const KIND_OF: Readonly<Record<SessionRow['status'], EventKind | null>> = {
  PENDING: null,
  VERIFIED: 'verification.completed',
  FAILED: 'verification.failed',
  CANCELLED: 'verification.cancelled',
  EXPIRED: 'session.timeout',
};

function checkRoutes(
  history: History,
  report: Report,
  event: { id: string; tenantId: string; kind: EventKind; pairId: string; place: Place },
  rows: readonly (Place & { row: DeliveryRow })[],
): void {
  const { commit } = event.place;
  const before = routesAt(history, event, commit - 1);
  const after = routesAt(history, event, commit);
  const actual = rows.map(({ row }) => row.url).sort();
  if (after.hasLegacy) report.saw('H9');
  if (after.isChoosy) report.saw('H10');
  // Two changes in one commit may apply in either order.
  if (before.urls.join() === after.urls.join() && actual.join() !== after.urls.join()) {
    const what = `${event.kind} went to [${actual}] instead of [${after.urls}]`;
    if (after.hasLegacy) report.fail('H9', what);
    else report.fail('I2', what);
  }

  for (const { row } of rows) {
    if (row.tenantId !== event.tenantId)
      report.fail('H10', 'a delivery belongs to a different account than its event');
    if (row.policy !== POLICY_OF[event.kind]) report.fail('I12', `${event.kind} is ${row.policy}`);
    const owner = history.ownerOf(row.endpointId, commit);
    const wasPaused = history.isPausedAt(owner, commit - 1);
    const isPaused = history.isPausedAt(owner, commit);
    if (wasPaused && isPaused) report.saw('H5');
    const isKept = row.status === 'undelivered' && row.reason === 'paused';
    if (wasPaused === isPaused && isKept !== isPaused)
      report.fail(
        'H5',
        `${event.kind} for ${isPaused ? 'a paused' : 'an unpaused'} endpoint: ${row.status}`,
      );
  }
}

const POLICY_OF: Readonly<Record<EventKind, DeliveryRow['policy']>> = {
  'session.started': 'inline',
  'verification.completed': 'durable',
  'verification.failed': 'durable',
  'verification.cancelled': 'durable',
  'session.timeout': 'timeout',
};

function routesAt(
  history: History,
  event: { tenantId: string; kind: EventKind; pairId: string },
  commit: number,
): { urls: string[]; hasLegacy: boolean; isChoosy: boolean } {
  const all = [...history.configs.keys()].flatMap((owner) => history.configAt(owner, commit) ?? []);
  const own = all.filter(({ tenantId }) => tenantId === event.tenantId);
  const hasEndpoint = own.some(({ kind }) => kind !== 'legacy');
  const routes = own.filter(
    ({ kind, enabled, events, pairId }) =>
      (kind === 'legacy' ? !hasEndpoint : enabled) &&
      events.includes(event.kind) &&
      (pairId === null || pairId === event.pairId),
  );
  return {
    urls: routes.map(({ url }) => url).sort(),
    hasLegacy: own.some(({ kind }) => kind === 'legacy'),
    isChoosy: routes.length < all.length,
  };
}

/** Checks I1, I3, I5, I6, I7 and I12: how deliveries end, and how often they are attempted before. */
export function checkEnds(history: History, report: Report): void {
  const attempts = groupBy(history.attempts, ({ delivery }) => delivery?.id ?? '');
  for (const [id, states] of history.deliveries) {
    const own = attempts.get(id) ?? [];
    const series = history.seriesOf(id);
    const { row } = states.at(-1)!;
    const name = `${row.policy} ${row.url} of ${history.formatTime(row.createdAtMs)}`;
    const delivery = { history, report, states, series, own, name };
    checkVerdict(delivery);
    checkGrid(delivery);
    checkDay(delivery);
    checkSeries(delivery);
    checkCopies(delivery);
  }
}

interface Delivery {
  readonly history: History;
  readonly report: Report;
  /** The states of the delivery's row, oldest first. */
  readonly states: readonly DeliveryState[];
  /** The first delivery and each redelivery. */
  readonly series: readonly Place[];
  /** The attempts of this delivery. */
  readonly own: readonly SentAttempt[];
  /** The delivery's name in the report of a failure. */
  readonly name: string;
}

function checkVerdict({ history, report, states, own, name }: Delivery): void {
  const { trace } = history;
  const { row } = states.at(-1)!;
  if (row.policy !== 'inline' && trace.crashes.length > 0) report.saw('I1');
  if (row.status === 'pending' && trace.endMs >= row.deadlineAtMs)
    report.fail('I1', `${name} is still pending`);
  if (row.status === 'undelivered' && row.reason === null)
    report.fail('I1', `${name} has no reason`);
  if (row.reason === 'lost' && !history.wasCutShort(row.id))
    report.fail('I12', `${name} is lost, but no request was in flight`);

  const oks = own.filter(({ verdict }) => verdict === 'ok');
  if (oks.length > 0) report.saw('I3');
  if (row.status === 'delivered' && oks.length === 0)
    report.fail('I3', `${name} is delivered, but no receiver accepted it`);
  for (const { recorded, sent } of oks) {
    if (!recorded) continue;
    // A delivered event must stay delivered.
    const isDelivered = states.every(
      (state) => state.commit < recorded.commit || state.row.status === 'delivered',
    );
    if (!isDelivered) report.fail('I3', `${name} is ${row.status} after the 2xx of #${sent.no}`);
  }
}

/** Retries of a timeout event are due on the grid. P3 and P7 see that they are sent when they are due. */
function checkGrid({ report, states, name }: Delivery): void {
  for (const { row } of states) {
    const isRetry = row.policy === 'timeout' && row.attempts > row.baseAttempts;
    const isWaiting = row.status === 'pending' && row.leaseUntilMs === null;
    if (isRetry && isWaiting && row.nextAtMs % 5_000 !== 0)
      report.fail('I6', `${name} is due off the grid`);
  }
}

function checkDay({ history, report, states, series, own, name }: Delivery): void {
  const isInline = history.events.get(states[0]!.row.eventId)?.kind === 'session.started';
  const endAt = (commit: number): number => {
    const at = series.findLastIndex((one) => one.commit <= commit);
    // After a redelivery, a session.started has a day like all other events.
    return (series[at]?.atMs ?? 0) + (isInline && at === 0 ? 10 * 60 * SECOND : DAY);
  };
  for (const { sent, claimed } of own) {
    if (sent.atMs >= endAt(claimed.commit)) report.fail('I5', `${name} was sent too late`);
  }
  for (const [at, { row, commit, atMs }] of states.entries()) {
    if (row.reason !== 'expired' || states[at - 1]?.row.reason === 'expired') continue;
    report.saw('I5');
    const endMs = endAt(commit);
    if (atMs < endMs) report.fail('I5', `${name} expired too early`);
    // A delivery may expire later if a request is in flight, or if the process died during one.
    const graceMs = endMs + 31 * SECOND;
    // Crashes may follow each other, so it must have been down at each moment.
    const upMs = history.trace.crashes.reduce(
      (until, crash) => (crash.atMs <= until ? Math.max(until, crash.upMs + 31 * SECOND) : until),
      graceMs,
    );
    const isExcused = upMs >= atMs;
    if (atMs > graceMs && !isExcused)
      report.fail('I5', `${name} expired at ${history.formatTime(atMs)}, long after its end`);
  }
}

function checkSeries({ history, report, states, series, own, name }: Delivery): void {
  const { row } = states.at(-1)!;
  const isInline = history.events.get(row.eventId)?.kind === 'session.started';
  for (const [at, { order }] of series.entries()) {
    const next = series[at + 1];
    const attempts = own.filter(
      ({ claimed }) => claimed.order > order && claimed.order < (next?.order ?? Infinity),
    );
    // After a redelivery an inline event is attempted like a durable one.
    const isShort = isInline && at === 0;
    if (row.policy !== 'timeout' && !isShort) continue;
    const max = isShort ? 3 : history.trace.scenario.timeoutAttempts;
    const recorded = attempts.filter((one) => one.recorded !== null);
    if (recorded.length > max) report.fail('I6', `${name} was attempted ${recorded.length} times`);
    if (attempts.length > max + history.trace.crashes.length)
      report.fail('I6', `${name} was sent ${attempts.length} times`);
    // Lost attempts do not count.
    if (!next && row.reason === 'attempts' && recorded.length !== max)
      report.fail('I6', `${name} was abandoned after ${recorded.length} of ${max} attempts`);
    if (isShort) checkInline(report, recorded, name);
  }
}

function checkInline(report: Report, recorded: readonly SentAttempt[], name: string): void {
  if (recorded.some(({ verdict }) => verdict !== 'ok')) report.saw('I12');
  for (const [at, one] of recorded.entries()) {
    const before = recorded[at - 1];
    if (!before) continue;
    if (before.verdict === 'reject') report.fail('I12', `${name} was repeated after a rejection`);
    const waitedMs = one.sent.atMs - before.recorded!.atMs;
    if (waitedMs < [1, 2][at - 1]! * SECOND) report.fail('I12', `${name} waited ${waitedMs} ms`);
  }
}

function checkCopies({ history: { trace }, report, own, name }: Delivery): void {
  const handled = own.filter(({ sent }) => sent.isHandled);
  if (handled.length === 0) return;
  report.saw('I7');
  const crashed = handled.filter(({ recorded, sent }) => recorded === null || sent.isOrphan);
  const broken = handled.filter((one) => !crashed.includes(one) && one.verdict !== 'ok');
  if (handled.length > 1 + crashed.length + broken.length)
    report.fail('I7', `${name} was received ${handled.length} times`);
  if (crashed.length > trace.crashes.length)
    report.fail('I7', `${name}: ${crashed.length} copies in ${trace.crashes.length} crashes`);
}

/** Checks I8 to I11: the bytes of each request and its URL. */
export function checkBytes(history: History, report: Report): void {
  for (const { url, atMs } of history.strays)
    report.fail('I8', `a request to ${url} at ${history.formatTime(atMs)} belongs to no attempt`);
  const first = new Map<string, { text: string; sha256: string }>();
  for (const one of history.attempts) {
    checkSignature(history, report, one);
    const { sent, delivery, event, record } = one;
    if (sent.headers['content-type'] !== 'application/json')
      report.fail('I9', 'the content type is not JSON');
    if (!delivery || !event) continue;

    const known = first.get(event.id);
    if (known) report.saw('I9');
    if (known && known.text !== sent.bodyText) report.fail('I9', 'the bytes changed');
    if (!known) checkEnvelope(history, report, one);
    const bytes = known ?? { text: sent.bodyText, sha256: hash('sha256', sent.bodyText) };
    first.set(event.id, bytes);
    if (record && record.bodySha256 !== bytes.sha256) report.fail('I9', 'a wrong hash is recorded');
    checkAddress(history, report, one);
  }
}

/**
 * Checks I10: the signature was made with the secret at the time of the claim, or with one that was set in
 * the same commit.
 */
function checkSignature(
  history: History,
  report: Report,
  { owner, claimed, sent }: SentAttempt,
): void {
  const { commit } = claimed;
  const secrets = [commit - 1, commit].flatMap((at) => {
    const config = history.configAt(owner, at);
    return config ? [config.secret] : [];
  });
  report.saw('I10');
  const signature = sent.headers['x-ofage-signature'];
  const isRight = secrets.some((secret) =>
    secret === null ? signature === undefined : signature === signNow(sent.bodyText, secret),
  );
  if (!isRight)
    report.fail('I10', `a request at ${history.formatTime(sent.atMs)} has a wrong signature`);
}

function checkEnvelope(history: History, report: Report, { event, sent }: SentAttempt): void {
  const { id, kind, tenantId, createdAtMs, sessionId } = event!;
  const body = JSON.parse(sent.bodyText) as Record<string, unknown> & {
    data: Record<string, unknown>;
  };
  const session = history.sessions.get(sessionId);
  report.saw('I11');
  const toExpectedMs = (): number | undefined => {
    // The first attempt of session.started creates and stores its bytes. Whether that request was sent before
    // a crash cannot be known afterwards.
    if (kind === 'session.started') return history.firstClaimMs(id);
    return kind === 'session.timeout' ? session?.expiresAtMs : createdAtMs;
  };
  if (Date.parse(String(body['timestamp'])) !== toExpectedMs())
    report.fail('I11', `${kind} says ${String(body['timestamp'])}`);
  const happenedAtMs = kind === 'session.started' ? session?.createdAtMs : session?.settledAtMs;
  if (Date.parse(String(body.data['timestamp'])) !== happenedAtMs)
    report.fail('I11', `${kind} happened at ${String(body.data['timestamp'])}`);
  if (body['eventId'] !== (kind === 'session.started' ? undefined : id))
    report.fail('I9', 'a wrong eventId');
  if (body['test'] !== false || body['tenantId'] !== tenantId)
    report.fail('I9', 'a wrong envelope');
}

/** Checks I8: the request goes to the URL that the endpoint had when the event was created. */
function checkAddress(
  history: History,
  report: Report,
  { delivery, owner, url }: SentAttempt,
): void {
  const [made] = history.deliveries.get(delivery!.id)!;
  const urls = [made!.commit - 1, made!.commit].map((at) => history.configAt(owner, at)?.url);
  if (history.moves(owner).length > 1) report.saw('I8');
  if (!urls.includes(url)) report.fail('I8', `${url} instead of ${String(urls[1])}`);
}

/** Checks X1, X2, X3, X6 and P8: only allowed addresses are called, within the time limit. */
export function checkDestinations({ trace, formatTime }: History, report: Report): void {
  for (const { atMs, endMs, dials, resolves, behaviour, url } of trace.sent) {
    const name = `${behaviour.kind} ${url} at ${formatTime(atMs)}`;
    for (const dial of dials) {
      report.saw('X1');
      if (!dial.vetted.includes(dial.address)) report.fail('X1', `${name} dialled ${dial.address}`);
      if (!isPublicHere(dial.address)) report.fail('X1', `${name} called a private address`);
      const answers = resolves.filter(({ host }) => host === dial.host);
      if (answers.some(({ answer }) => !answer.every(isPublicHere)))
        report.fail('X3', `${name} dialled although one of its addresses is private`);
    }
    if (behaviour.kind === 'dns_mixed') report.saw('X3');
    if (behaviour.kind === 'dns_flip') report.saw('X2');
    const hosts = resolves.map(({ host }) => host);
    if (new Set(hosts).size !== hosts.length) report.fail('X2', `${name} was resolved twice`);
    if (NOT_DIALLED.has(behaviour.kind)) {
      report.saw('X6');
      if (dials.length > 0) report.fail('X6', `${name} was dialled`);
    }
    report.saw('P8');
    if (endMs !== null && endMs - atMs > 15 * SECOND) report.fail('P8', `${name} took longer`);
    if (dials.length > 6) report.fail('P8', `${name} followed ${dials.length - 1} redirects`);
  }
}

const NOT_DIALLED: ReadonlySet<string> = new Set([
  'dns_mixed',
  'dns_private',
  'dns_empty',
  'dns_fail',
]);

function isPublicHere(address: string): boolean {
  return address === '93.184.216.34';
}
