import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useRef } from 'preact/hooks';
import { Panel } from '../../shared/console/parts.tsx';
import { downloadJson } from '../../shared/download-json.ts';
import { Button } from '../../shared/kit/button.tsx';
import { Dialog } from '../../shared/kit/dialog.tsx';
import { announce, attempt } from '../../shared/kit/toast.tsx';
import { parseSnapshotFile, toSnapshotName } from '../../shared/snapshot-file.ts';
import { toHash } from '../route.ts';
import { ConfirmButton } from './confirm.tsx';
import type { Desk } from './desk.ts';
import { FormProblems, useSubmission } from './form.tsx';

/** The whole run of all accounts: kept as a file, loaded again, forgotten. */
export function RunPanel({ desk }: { desk: Desk }): JSX.Element {
  const { provider } = desk;
  const file = useSignal<File | null>(null);
  const isOpen = useSignal(false);
  const input = useRef<HTMLInputElement>(null);
  const loading = useSubmission();

  const save = (): Promise<boolean> =>
    attempt(async () => {
      const snapshot = await provider.client.snapshot();
      const name = toSnapshotName(snapshot.takenAt);
      downloadJson(name, JSON.stringify(snapshot, null, 2));
      announce(`Saved ${name}`);
    });

  const load = async (): Promise<void> => {
    const chosen = file.value;
    if (!chosen) return;
    const isLoaded = await loading.run(async () => {
      await provider.client.loadSnapshot(parseSnapshotFile(await chosen.text()));
    }, `Loaded ${chosen.name}`);
    if (!isLoaded) return;
    isOpen.value = false;
    location.hash = toHash({ section: 'overview' });
  };

  return (
    <Panel title="This run">
      <p class="muted">
        All accounts, keys, sessions, events and the clock, as one file. Whoever loads it goes on
        from where it was saved.
      </p>
      <div class="row">
        <Button onPress={save} testId="save-snapshot">
          Save snapshot
        </Button>
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
            // So that the same file can be chosen twice.
            currentTarget.value = '';
            isOpen.value = file.value !== null;
          }}
        />
        <ConfirmButton
          label="Reset everything…"
          title="Reset everything?"
          confirm="Reset everything"
          done="Everything is as at the first start"
          testId="reset"
          work={async () => {
            await provider.client.reset();
            location.hash = toHash({ section: 'overview' });
          }}
        >
          <p>
            Sessions, events, webhooks, e-mails and all accounts but the first are forgotten, and
            the clock runs in real time again. The first account keeps its keys. Save a snapshot
            first if you may want them back.
          </p>
        </ConfirmButton>
      </div>
      <Dialog title="Load this snapshot?" isOpen={isOpen} dismiss={null}>
        <div class="form">
          <p>
            <code>{file.value?.name}</code> takes the place of everything that there is now.
          </p>
          <FormProblems submission={loading} />
          <div class="row">
            <Button onPress={() => (isOpen.value = false)}>Keep it as it is</Button>
            <Button look="danger-filled" onPress={load} testId="confirm">
              Load snapshot
            </Button>
          </div>
        </div>
      </Dialog>
    </Panel>
  );
}
