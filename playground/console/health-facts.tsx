import type { ReadonlySignal } from '@preact/signals';
import type { HealthResource } from 'ofage-mock';
import type { JSX } from 'preact';
import { LABELS } from '../../mock-server/words/states.ts';
import { Facts } from '../shared/console/parts.tsx';
import { formatNumber } from '../../mock-server/words/counts.ts';
import { When } from './parts.tsx';

export function HealthFacts(props: {
  nowMs: ReadonlySignal<number>;
  health: HealthResource;
}): JSX.Element {
  const { health, nowMs } = props;
  const { lastSuccessAt, lastFailureAt, undelivered, pending } = health;
  const { nextAttemptAt, failingSince, consecutiveFailures } = health;
  return (
    <Facts
      facts={[
        [LABELS.lastSuccess, <When at={lastSuccessAt} nowMs={nowMs} />],
        ['Last failure', <When at={lastFailureAt} nowMs={nowMs} />],
        failingSince !== null && [
          'Failing since',
          <>
            <When at={failingSince} nowMs={nowMs} />, {formatNumber(consecutiveFailures)} in a row
          </>,
        ],
        [LABELS.notDelivered, formatNumber(undelivered)],
        [LABELS.waiting, formatNumber(pending)],
        nextAttemptAt !== null && ['Next attempt', <When at={nextAttemptAt} nowMs={nowMs} />],
      ]}
    />
  );
}

/** Shows why production would reject the URL, if it would. */
export function ProductionRefusal({ refusal }: { refusal: string | null }): JSX.Element | null {
  if (refusal === null) return null;
  return (
    <p class="note tone--warn" data-testid="production-refusal">
      Mock only. Production rejects this address: {refusal}.
    </p>
  );
}
