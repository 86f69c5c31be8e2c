import type { JSX } from 'preact';
import type { Live } from '../live.ts';

/** Says that the connection is lost, for as long as it is. For tests: connection-lost. */
export function ConnectionNotice({ live }: { live: Live }): JSX.Element {
  return (
    // Always there, because screen readers announce only what changes inside.
    <div class="connection" role="status">
      {live.connection.value === 'lost' && (
        <p data-testid="connection-lost">
          Connection to the service lost. What you see may be out of date. Reconnecting…
        </p>
      )}
    </div>
  );
}
