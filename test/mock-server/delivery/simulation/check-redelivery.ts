import type { DeliveryRow } from '../../../../mock-server/store/tables.ts';
import { DAY, type History } from './history.ts';
import type { Report } from './report.ts';

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
