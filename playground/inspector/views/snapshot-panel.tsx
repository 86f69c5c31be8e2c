import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import type { ControlClient } from 'ofage/mock/client';
import { Panel } from '../../shared/console/parts.tsx';
import { SaveSnapshot } from '../../shared/console/save-snapshot.tsx';
import { Button } from '../../shared/kit/button.tsx';
import { Dialog } from '../../shared/kit/dialog.tsx';
import { announce, attempt } from '../../shared/kit/toast.tsx';
import { parseSnapshotFile } from '../../shared/snapshot-file.ts';
import type { Inspector } from '../inspector.ts';

/**
 * Saves, loads or resets the state of the service. Test ids: snapshot, load-snapshot, reset,
 * confirm-reset.
 */
export function SnapshotPanel({ inspector }: { inspector: Inspector }): JSX.Element {
  const { provider } = inspector;
  const load = (file: File): Promise<boolean> =>
    attempt(async () => {
      await provider.client.loadSnapshot(parseSnapshotFile(await file.text()));
      announce(`Loaded ${file.name}`);
    });
  return (
    <Panel title="Snapshots" testId="snapshot">
      <p class="muted">
        A snapshot is a file with everything that the service knows. Without keys and secrets, you
        can attach it to a bug report. Once it is loaded, the clock continues from the time at which
        it was taken.
      </p>
      <div class="row">
        <SaveSnapshot client={provider.client} />
        <label class="button shows-focus">
          Load snapshot
          <input
            class="visually-hidden"
            type="file"
            accept="application/json,.json"
            data-testid="load-snapshot"
            onChange={({ currentTarget }) => {
              const [file] = currentTarget.files ?? [];
              currentTarget.value = '';
              if (file) void load(file);
            }}
          />
        </label>
        <Reset client={provider.client} />
      </div>
    </Panel>
  );
}

/** Asks before it resets, because a reset cannot be undone. */
function Reset({ client }: { client: ControlClient }): JSX.Element {
  const isOpen = useSignal(false);
  const reset = (): Promise<boolean> =>
    attempt(async () => {
      await client.reset();
      isOpen.value = false;
      announce('Everything was reset. The initial accounts keep their keys.');
    });
  return (
    <>
      <Button variant="danger" onPress={() => (isOpen.value = true)} testId="reset">
        Reset everything…
      </Button>
      <Dialog title="Reset everything?" isOpen={isOpen}>
        <p>
          This deletes all sessions and events, and restores the initial accounts and webhook
          endpoints. These accounts keep their keys and secrets.
        </p>
        <div>
          <Button variant="danger-filled" onPress={reset} testId="confirm-reset">
            Reset everything
          </Button>
        </div>
      </Dialog>
    </>
  );
}
