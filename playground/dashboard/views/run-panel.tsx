import { useSignal } from '@preact/signals';
import type { Snapshot } from 'ofage/mock';
import type { JSX } from 'preact';
import { useRef } from 'preact/hooks';
import { announce, attempt } from '../../shared/console/announce.tsx';
import { Dialog, Panel } from '../../shared/console/parts.tsx';
import { downloadJson } from '../../shared/download-json.ts';
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
      const snapshot = await provider.control<Snapshot>('GET', '/snapshot');
      const name = toSnapshotName(snapshot.takenAt);
      downloadJson(name, JSON.stringify(snapshot, null, 2));
      announce(`Saved ${name}`);
    });

  const load = async (): Promise<void> => {
    const chosen = file.value;
    if (!chosen) return;
    if (loading.isBusy.value) return;
    const isLoaded = await loading.run(async () => {
      await provider.control('PUT', '/snapshot', parseSnapshotFile(await chosen.text()));
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
        <button
          type="button"
          class="button"
          data-testid="save-snapshot"
          onClick={() => void save()}
        >
          Save snapshot
        </button>
        <button
          type="button"
          class="button"
          data-testid="load-snapshot"
          onClick={() => input.current?.click()}
        >
          Load snapshot…
        </button>
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
            await provider.control('POST', '/reset');
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
      <Dialog title="Load this snapshot?" isOpen={isOpen}>
        <div class="form">
          <p>
            <code>{file.value?.name}</code> takes the place of everything that there is now.
          </p>
          <FormProblems submission={loading} />
          <div class="row">
            <button type="button" class="button" onClick={() => (isOpen.value = false)}>
              Keep it as it is
            </button>
            <button
              type="button"
              class="button button--danger-filled"
              data-testid="confirm"
              aria-disabled={loading.isBusy.value}
              onClick={() => void load()}
            >
              Load snapshot
            </button>
          </div>
        </div>
      </Dialog>
    </Panel>
  );
}
