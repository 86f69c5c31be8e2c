import type { JSX } from 'preact';
import { Panel } from '../../shared/console/parts.tsx';
import { downloadJson } from '../../shared/download-json.ts';
import { Button } from '../../shared/kit/button.tsx';
import { announce, attempt } from '../../shared/kit/toast.tsx';
import { parseSnapshotFile } from '../../shared/snapshot-file.ts';
import type { Inspector } from '../inspector.ts';

/** Saves, loads or resets the state of the service. Test ids: save-snapshot, load-snapshot, reset. */
export function SnapshotPanel({ inspector }: { inspector: Inspector }): JSX.Element {
  const { provider } = inspector;
  const save = (): Promise<boolean> =>
    attempt(async () => {
      const snapshot = await provider.client.snapshot();
      const at = snapshot.takenAt.slice(0, 19).replaceAll(':', '-');
      downloadJson(`ofage-state-${at}Z.json`, JSON.stringify(snapshot));
    });
  const load = (file: File): Promise<boolean> =>
    attempt(async () => {
      await provider.client.loadSnapshot(parseSnapshotFile(await file.text()));
      announce(`Loaded ${file.name}`);
    });
  const reset = (): Promise<boolean> =>
    attempt(async () => {
      await provider.client.reset();
      announce('Everything is forgotten but the first account and its keys');
    });
  return (
    <Panel title="The whole state" testId="snapshot">
      <p class="muted">
        A snapshot is everything that the service knows, keys and secrets included; time goes on
        from where it was taken.
      </p>
      <div class="row">
        <Button onPress={save} testId="save-snapshot">
          Save a snapshot
        </Button>
        <label class="button file">
          Load a snapshot
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
        <Button variant="danger" onPress={reset} testId="reset">
          Reset
        </Button>
      </div>
    </Panel>
  );
}
