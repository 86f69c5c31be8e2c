import type { JSX } from 'preact';
import type { Live } from '../live.ts';

export function ConnectionNotice({ live }: { live: Live }): JSX.Element {
  return (
    // The status element is always rendered, because screen readers announce only changes inside it.
    <div class="connection" role="status">
      {live.connection.value === 'lost' && (
        <p data-testid="connection-lost">
          Connection to the service lost. What you see may be out of date. Reconnecting…
        </p>
      )}
    </div>
  );
}
