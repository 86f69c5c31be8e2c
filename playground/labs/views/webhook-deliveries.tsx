import type { AttemptResource, DeliveryResource } from 'ofage-mock';
import type { JSX } from 'preact';
import { toCount } from '../../../mock-server/words/counts.ts';
import { DELIVERY_WORDS, NONE } from '../../../mock-server/words/states.ts';
import { formatTimeOfDay } from '../../../mock-server/words/times.ts';
import { describeReason } from '../../shared/console/describe-reason.ts';
import { Moment } from '../../shared/console/parts.tsx';
import { DELIVERY_TONES } from '../../shared/console/tones.ts';
import { Chip } from '../../shared/kit/chip.tsx';
import { type Column, Table } from '../../shared/kit/table.tsx';
import { toShortId } from '../../shared/short-id.ts';

/** The number of the newest attempts that a row lists. */
const ATTEMPTS_SHOWN = 6;

const DELIVERY_COLUMNS: readonly Column<DeliveryResource>[] = [
  { title: 'Event', cell: ({ event }) => <code>{event}</code> },
  {
    title: 'Session',
    cell: ({ sessionId }) => <code title={sessionId}>{toShortId(sessionId)}</code>,
  },
  {
    title: 'Status',
    cell: ({ status, reason }) => (
      <>
        <Chip tone={DELIVERY_TONES[status]}>{DELIVERY_WORDS[status]}</Chip>
        {reason && <div class="muted">{describeReason(reason)}</div>}
      </>
    ),
  },
  {
    title: 'Attempts',
    cell: ({ attempts }) => (
      <ul class="tries">
        {attempts.length > ATTEMPTS_SHOWN && (
          <li class="muted">{attempts.length - ATTEMPTS_SHOWN} earlier</li>
        )}
        {attempts.slice(-ATTEMPTS_SHOWN).map((one) => (
          <li key={`${one.n} ${one.startedAt}`} data-testid="attempt">
            <span class="muted">{formatTimeOfDay(one.startedAt)}</span> {describeAttempt(one)}
          </li>
        ))}
      </ul>
    ),
  },
  {
    title: 'Next attempt',
    cell: ({ nextAttemptAt }) =>
      nextAttemptAt === null ? <span class="muted">{NONE}</span> : <Moment at={nextAttemptAt} />,
  },
];

/** Shows the service's attempts to deliver its events to the receiver. */
export function DeliveryTable({
  deliveries,
}: {
  deliveries: readonly DeliveryResource[];
}): JSX.Element {
  return (
    <Table
      label="Deliveries to the receiver"
      columns={DELIVERY_COLUMNS}
      rows={deliveries}
      toAttributes={({ id, status }) => ({
        key: id,
        'data-testid': 'delivery',
        'data-status': status,
      })}
    />
  );
}

/** Describes an attempt, for example `429, retry after 5 s`. */
function describeAttempt(attempt: AttemptResource): string {
  const { outcome, httpStatus, error, retryAfterMs, hops } = attempt;
  if (outcome === null) return 'in progress';
  const parts = [httpStatus ? String(httpStatus) : (error ?? outcome)];
  if (retryAfterMs) parts.push(`retry after ${retryAfterMs / 1_000} s`);
  if (hops > 0) parts.push(toCount(hops, 'redirect'));
  return parts.join(', ');
}
