import type { DeliveryRow, EventKind, SessionRow } from '../../../../mock-server/store/tables.ts';
import { groupBy, type Place } from './durable-rows.ts';
import type { History } from './history.ts';
import type { Report } from './report.ts';

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
      checkRoutes(history, report, event, rows);
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
