import { writeFileSync } from 'node:fs';
import { reasonOf } from '../../store/errors.ts';
import { type Command, requireArguments } from '../command.ts';

export const snapshot: Command = {
  name: 'snapshot',
  takes: 'FILE',
  summary: 'save the state of a running mock to a file',
  action: 'save the snapshot',
  details: `FILE gets the whole state as JSON: accounts, sessions, events, deliveries, the log of requests
and the time. Keys, secrets and tokens are left out, so that you can attach it to a bug report.
What your shop sent is in it, and so are the addresses of your webhook endpoints and the names and
email addresses of your accounts. ofage-mock start --snapshot FILE begins with it.`,
  options: {
    'with-secrets': {
      type: 'boolean',
      text: 'keep keys, secrets and tokens; do not share this file',
    },
  },
  read(words, values) {
    const [file] = requireArguments('snapshot', ['FILE'], words);
    const hasSecrets = values['with-secrets'] === true;
    return async (mock, print) => {
      const saved = await mock.snapshot({ secrets: hasSecrets ? 'keep' : 'omit' });
      writeNew(file, `${JSON.stringify(saved)}\n`, { hasSecrets });
      const sessions = saved.tables['sessions']?.length ?? 0;
      const secrets = hasSecrets ? 'included' : 'left out';
      print.result({ file, takenAt: saved.takenAt, sessions, secrets }, [
        ['File', file],
        ['Time', saved.takenAt],
        ['Sessions', String(sessions)],
        ['Secrets', secrets],
      ]);
    };
  },
};

/** Writes a file that must not exist. If it has secrets, only this user can read it. */
function writeNew(
  file: string,
  text: string,
  { hasSecrets }: { readonly hasSecrets: boolean },
): void {
  try {
    writeFileSync(file, text, { flag: 'wx', ...(hasSecrets && { mode: 0o600 }) });
  } catch (cause) {
    throw new Error(`Cannot write the file "${file}": ${explainFailure(cause)}`, { cause });
  }
}

function explainFailure(cause: unknown): string {
  const { code } = cause as NodeJS.ErrnoException;
  if (code === 'EEXIST') return 'it already exists; delete it or use a different file';
  return code === 'ENOENT' ? 'its folder does not exist' : reasonOf(cause);
}
