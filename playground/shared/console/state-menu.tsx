import { useSignal } from '@preact/signals';
import type { ControlClient } from 'ofage-mock/client';
import type { JSX } from 'preact';
import { useRef } from 'preact/hooks';
import { downloadFile } from '../download-file.ts';
import { Button } from '../kit/button.tsx';
import { CheckField } from '../kit/check-field.tsx';
import { ConfirmDialog } from '../kit/confirm.tsx';
import { announce, attempt } from '../kit/toast.tsx';
import { parseSnapshotFile, toSnapshotName } from '../snapshot-file.ts';
import { BarMenu } from './bar-menu.tsx';

/** Saves, loads or resets everything that the service knows, of all accounts. */
export function StateMenu({ client }: { client: ControlClient }): JSX.Element {
  const hasSecrets = useSignal(false);
  const file = useSignal<File | null>(null);
  const isLoading = useSignal(false);
  const isResetting = useSignal(false);
  const input = useRef<HTMLInputElement>(null);
  const save = (): Promise<boolean> =>
    attempt(async () => {
      const snapshot = await client.snapshot({ secrets: hasSecrets.value ? 'keep' : 'omit' });
      const name = toSnapshotName(snapshot.takenAt);
      downloadFile(name, JSON.stringify(snapshot, null, 2), 'application/json');
      announce(`Saved ${name} ${hasSecrets.value ? 'with' : 'without'} keys and secrets`);
    });
  const load = async (): Promise<void> => {
    if (!file.value) return;
    const snapshot = parseSnapshotFile(await file.value.text());
    await client.loadSnapshot({ ...snapshot, webhooks: 'held' });
  };
  return (
    <BarMenu label="Data" name="The service's data" testId="state">
      <Button variant="bare" class="bar-button" onPress={save} testId="save-snapshot">
        Save snapshot
      </Button>
      <CheckField
        label="Include keys, secrets and tokens"
        class="check bar-panel__check"
        bind={hasSecrets}
        testId="snapshot-secrets"
      />
      <p class="clock__state">
        All accounts, sessions, events and the clock in a file. Without keys and secrets you can
        attach it to a bug report.
      </p>
      <Button
        variant="bare"
        class="bar-button"
        onPress={() => input.current?.click()}
        testId="load-snapshot"
      >
        Load snapshot…
      </Button>
      <Button
        variant="bare"
        class="bar-button bar-button--bad"
        onPress={() => (isResetting.value = true)}
        testId="reset"
      >
        Reset everything…
      </Button>
      <input
        ref={input}
        type="file"
        class="visually-hidden"
        accept="application/json,.json"
        aria-label="Snapshot file"
        tabIndex={-1}
        data-testid="snapshot-file"
        onChange={({ currentTarget }) => {
          file.value = currentTarget.files?.[0] ?? null;
          // Clears the input, because choosing the same file twice would fire no second change event.
          currentTarget.value = '';
          isLoading.value = file.value !== null;
        }}
      />
      <ConfirmDialog
        title="Load this snapshot?"
        confirm="Load snapshot"
        done={`Loaded ${file.value?.name}`}
        work={load}
        isOpen={isLoading}
      >
        <p>
          <code>{file.value?.name}</code> replaces the whole current state. If it has no keys, the
          first account keeps its current ones. Webhooks to public addresses are held until you send
          them.
        </p>
      </ConfirmDialog>
      <ConfirmDialog
        title="Reset everything?"
        confirm="Reset everything"
        done="Everything was reset"
        work={() => client.reset()}
        isOpen={isResetting}
      >
        <p>
          This deletes all sessions, events and notices, restores the initial accounts and webhook
          endpoints, and resets the clock. These accounts keep their keys and secrets. Save a
          snapshot first if you may need the current state again.
        </p>
      </ConfirmDialog>
    </BarMenu>
  );
}
