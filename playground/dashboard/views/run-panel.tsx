import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useRef } from 'preact/hooks';
import type { ControlClient } from 'ofage/mock/client';
import { Panel } from '../../shared/console/parts.tsx';
import { SaveSnapshot } from '../../shared/console/save-snapshot.tsx';
import { Button } from '../../shared/kit/button.tsx';
import { parseSnapshotFile } from '../../shared/snapshot-file.ts';
import { toHash } from '../route.ts';
import { ConfirmButton, ConfirmDialog } from './confirm.tsx';
import type { AppContext } from './app-context.ts';

/** Saves the state of all accounts as a file, loads such a file, or resets everything. */
export function RunPanel({ context }: { context: AppContext }): JSX.Element {
  const { client } = context.provider;
  return (
    <Panel title="Snapshots">
      <p class="muted">
        A snapshot is a file with all accounts, sessions, events and the clock. Loading it restores
        that state. If it has no keys, the first account keeps its current ones.
      </p>
      <div class="row">
        <SaveSnapshot client={client} />
        <LoadSnapshot client={client} />
        <ConfirmButton
          label="Reset everything…"
          title="Reset everything?"
          confirm="Reset everything"
          done="Everything was reset"
          testId="reset"
          work={async () => {
            await client.reset();
            goToOverview();
          }}
        >
          <p>
            This deletes all sessions, events and emails, restores the initial accounts and webhook
            endpoints, and resets the clock. These accounts keep their keys and secrets. Save a
            snapshot first if you may need the current state again.
          </p>
        </ConfirmButton>
      </div>
    </Panel>
  );
}

function LoadSnapshot({ client }: { client: ControlClient }): JSX.Element {
  const file = useSignal<File | null>(null);
  const isOpen = useSignal(false);
  const input = useRef<HTMLInputElement>(null);
  const load = async (): Promise<void> => {
    if (file.value) await client.loadSnapshot(parseSnapshotFile(await file.value.text()));
  };
  return (
    <>
      <Button onPress={() => input.current?.click()} testId="load-snapshot">
        Load snapshot…
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
          // Clear the input, because choosing the same file twice would fire no second change event.
          currentTarget.value = '';
          isOpen.value = file.value !== null;
        }}
      />
      <ConfirmDialog
        title="Load this snapshot?"
        confirm="Load snapshot"
        done={`Loaded ${file.value?.name}`}
        work={load}
        onDone={goToOverview}
        isOpen={isOpen}
      >
        <p>
          <code>{file.value?.name}</code> replaces the whole current state.
        </p>
      </ConfirmDialog>
    </>
  );
}

function goToOverview(): void {
  location.hash = toHash({ section: 'overview' });
}
