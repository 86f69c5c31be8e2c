import { accessSync, constants, existsSync, writeFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { requireArguments, textOf, type Command } from '../command.ts';
import { nextSignal } from '../next-signal.ts';

export const record: Command = {
  name: 'record',
  takes: 'FILE',
  summary: 'record every change to the mock, until Ctrl-C',
  action: 'record',
  details: `FILE gets every operation that changes something, with its time and its results:
calls to the API and the hosted page's API, dashboard actions, and faults.
It contains no keys and no secrets. ofage-mock replay repeats it on any computer.`,
  options: {
    name: { type: 'string', value: 'TEXT', text: "the recording's name (default: from FILE)" },
  },
  read(words, values) {
    const [file] = requireArguments('record', ['FILE'], words);
    const name = textOf(values, 'name') ?? basename(file).replace(/(\.ofage)?\.json$/, '');
    return async (mock, print) => {
      assertNew(file);
      const stopped = nextSignal();
      const state = await mock.startRecording({ name });
      print.text(state, () => [`Recording "${name}" at ${mock.origin}. Ctrl-C stops it.`]);
      // A signal handler alone does not keep the process running.
      const waiting = setInterval(() => {}, LONG_MS);
      await stopped;
      clearInterval(waiting);
      const recording = await mock.stopRecording();
      writeFileSync(file, `${JSON.stringify(recording, null, 2)}\n`, { flag: 'wx' });
      const counts = { steps: recording.steps.length, events: recording.events.length };
      print.result({ file, ...counts }, [
        ['File', file],
        ['Steps', String(counts.steps)],
        ['Events', String(counts.events)],
      ]);
    };
  },
};

const LONG_MS = 3_600_000;

/**
 * Checks the file before recording, so that a recorded run is not lost because its file cannot be written.
 */
function assertNew(file: string): void {
  if (existsSync(file)) throw new Error(`the file "${file}" already exists`);
  try {
    accessSync(dirname(file), constants.W_OK);
  } catch (cause) {
    throw new Error(`the folder of "${file}" is not writable`, { cause });
  }
}
