import { useSignal } from '@preact/signals';
import type { ControlClient } from 'ofage/mock/client';
import type { JSX } from 'preact';
import { downloadJson } from '../download-json.ts';
import { Button } from '../kit/button.tsx';
import { CheckField } from '../kit/check-field.tsx';
import { announce, attempt } from '../kit/toast.tsx';
import { toSnapshotName } from '../snapshot-file.ts';

/** A checkbox and a button that download the state. Test ids: snapshot-secrets, save-snapshot. */
export function SaveSnapshot({ client }: { client: ControlClient }): JSX.Element {
  const hasSecrets = useSignal(false);
  const save = (): Promise<boolean> =>
    attempt(async () => {
      const snapshot = await client.snapshot({ secrets: hasSecrets.value ? 'keep' : 'omit' });
      const name = toSnapshotName(snapshot.takenAt);
      downloadJson(name, JSON.stringify(snapshot, null, 2));
      announce(`Saved ${name} ${hasSecrets.value ? 'with' : 'without'} keys and secrets`);
    });
  return (
    <>
      <CheckField
        label="Include keys, secrets and tokens"
        hint="Only for your own use. Do not share such a file."
        bind={hasSecrets}
        testId="snapshot-secrets"
      />
      <Button onPress={save} testId="save-snapshot">
        Save snapshot
      </Button>
    </>
  );
}
