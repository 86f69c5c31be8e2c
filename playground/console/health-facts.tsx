import type { ReadonlySignal } from '@preact/signals';
import type { HealthResource } from 'ofage-mock';
import type { JSX } from 'preact';
import { Facts } from '../shared/console/parts.tsx';
import { formatNumber } from '../shared/to-count.ts';
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
        ['Last success', <When at={lastSuccessAt} nowMs={nowMs} />],
        ['Last failure', <When at={lastFailureAt} nowMs={nowMs} />],
        failingSince !== null && [
          'Failing since',
          <>
            <When at={failingSince} nowMs={nowMs} />, {formatNumber(consecutiveFailures)} in a row
          </>,
        ],
        ['Not delivered', formatNumber(undelivered)],
        ['Waiting', formatNumber(pending)],
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
