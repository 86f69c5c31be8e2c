import type { HealthResource } from 'ofage-mock';
import type { ComponentChildren, JSX } from 'preact';
import { DELIVERY_WORDS } from '../../../mock-server/words/states.ts';
import { toCount } from '../../../mock-server/words/counts.ts';

/** Says in one line that an endpoint is paused, in a second why, with the action that ends the pause. */
export function PausedNote(props: {
  health: HealthResource;
  children: ComponentChildren;
}): JSX.Element {
  const { health, children } = props;
  return (
    <div class="note tone--bad panel__head" data-testid="endpoint-notice">
      <p>
        <strong>{summarizePause(health)}</strong>
        <br />
        <span class="muted">{explainPause(health.pauseReason)} Fix your server, then resume.</span>
      </p>
      {children}
    </div>
  );
}

export function summarizePause({ undelivered }: HealthResource): string {
  return undelivered === 0
    ? `Paused: new events are ${DELIVERY_WORDS.undelivered}`
    : `Paused: ${toCount(undelivered, 'event')} ${DELIVERY_WORDS.undelivered}`;
}

export function explainPause(reason: string | null): string {
  return reason === 'rejecting'
    ? 'Every request was rejected for an hour.'
    : 'No request succeeded for 24 hours.';
}
