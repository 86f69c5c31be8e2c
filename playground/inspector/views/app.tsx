import type { JSX } from 'preact';
import { useEffect, useMemo } from 'preact/hooks';
import '../inspector.css';
import type { Provider } from '../../shared/provider.ts';
import { createInspector } from '../inspector.ts';
import { SessionPanel } from './session-panel.tsx';
import { SnapshotPanel } from './snapshot-panel.tsx';
import { TimelinePanel } from './timeline-panel.tsx';

/**
 * Shows the inspector. The comment on each view lists its values of `data-testid`.
 * `entry[data-kind][data-session]` is one line of the timeline.
 */
export function App({ provider }: { provider: Provider }): JSX.Element {
  const inspector = useMemo(() => createInspector(provider), [provider]);
  useEffect(() => inspector.start(), [inspector]);
  return (
    <>
      <div class="page__head">
        <div>
          <h1>Inspector</h1>
          <p>SDK calls, requests, sessions and webhooks, live and in one timeline.</p>
        </div>
      </div>
      {inspector.loadError.value !== '' && (
        <p class="note note--bad" role="alert">
          {inspector.loadError.value}
        </p>
      )}
      <div class="inspector">
        <TimelinePanel inspector={inspector} />
        <div class="inspector__side">
          <SessionPanel inspector={inspector} />
          <SnapshotPanel inspector={inspector} />
        </div>
      </div>
    </>
  );
}
