import type { JSX } from 'preact';
import type { AttemptResource, DeliveryResource } from 'ofage/mock';
import { Moment } from '../../shared/console/parts.tsx';
import { DELIVERY_TONES } from '../../shared/console/tones.ts';
import { Chip } from '../../shared/kit/chip.tsx';
import { EmptyState } from '../../shared/kit/empty-state.tsx';
import { Table } from '../../shared/kit/table.tsx';
import { toCount } from '../../shared/to-count.ts';

/** Lists the deliveries to the receiver with their attempts. */
export function Deliveries(props: { deliveries: readonly DeliveryResource[] }): JSX.Element {
  if (props.deliveries.length === 0)
    return <EmptyState title="No deliveries yet. Trigger an event to see one here." />;
  return (
    <Table
      label="Deliveries to the receiver"
      head={['Event', 'Session', 'Status', 'Attempts', 'Next attempt']}
    >
      {props.deliveries.map((delivery) => (
        <tr key={delivery.id} data-testid="delivery" data-status={delivery.status}>
          <td>
            <code>{delivery.event}</code>
          </td>
          <td>
            <code title={delivery.sessionId}>{delivery.sessionId.slice(0, 8)}</code>
          </td>
          <td>
            <Chip tone={DELIVERY_TONES[delivery.status]}>{delivery.status}</Chip>
            {delivery.reason && <div class="muted">{delivery.reason}</div>}
          </td>
          <td>
            <Attempts attempts={delivery.attempts} />
          </td>
          <td>{delivery.nextAttemptAt && <Moment at={delivery.nextAttemptAt} />}</td>
        </tr>
      ))}
    </Table>
  );
}

const SHOWN = 6;

function Attempts({ attempts }: { attempts: readonly AttemptResource[] }): JSX.Element {
  const hidden = attempts.length - SHOWN;
  return (
    <ul class="tries">
      {hidden > 0 && <li class="muted">{hidden} earlier</li>}
      {attempts.slice(-SHOWN).map((attempt) => (
        <li key={`${attempt.n} ${attempt.startedAt}`} data-testid="attempt">
          <span class="muted">{attempt.startedAt.slice(11, 19)}</span> {toWords(attempt)}
        </li>
      ))}
    </ul>
  );
}

function toWords({ outcome, httpStatus, error, retryAfterMs, hops }: AttemptResource): string {
  if (outcome === null) return 'in progress';
  const what = httpStatus ? String(httpStatus) : (error ?? outcome);
  const asked = retryAfterMs ? `, retry after ${retryAfterMs / 1_000} s` : '';
  return `${what}${asked}${hops > 0 ? `, ${toCount(hops, 'redirect')}` : ''}`;
}
