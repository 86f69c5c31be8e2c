import type { ReplayResult } from '../../control/recording.ts';
import { reasonOf } from '../../core/reason-of.ts';
import { toDifference } from '../../recordings/service-recording.ts';
import { createMockService } from '../../service.ts';
import { requireArguments, type Command } from '../command.ts';
import { readJsonFile } from '../json-file.ts';
import type { Paint } from '../printer.ts';

export const replay: Command = {
  name: 'replay',
  takes: 'FILE',
  summary: 'replay a recording in a new mock, and compare the results',
  action: 'replay the recording',
  details: `The replay runs in memory, in this process. It needs a running mock only for
--load, sends no webhook, and takes seconds for a recording of days. Its results
are compared with the recording: the responses to calls, the sessions, and the
events with their order and deliveries.`,
  options: {
    assert: {
      type: 'boolean',
      text: 'if there is a difference, print the first one and exit with 1',
    },
    load: {
      type: 'boolean',
      text: 'load the state at the end of the replay into the running mock',
    },
  },
  read(words, values) {
    const [file] = requireArguments('replay', ['FILE'], words);
    return async (mock, print) => {
      const { result, name } = await replayFile(file);
      const { snapshot, ...shown } = result;
      if (values['load'] === true) await mock.loadSnapshot(snapshot);
      if (values['assert'] === true && !result.isSame) {
        print.text(shown, () => [toDifference(name, result.differences)]);
        return 1;
      }
      print.text(shown, (paint) => toLines(name, result, paint));
      return 0;
    };
  },
};

async function replayFile(file: string): Promise<{ result: ReplayResult; name: string }> {
  const service = createMockService();
  try {
    const recording = await service.control.checkRecording(readRecording(file));
    return { result: await service.control.replay(recording), name: recording.name };
  } finally {
    await service.close();
  }
}

function readRecording(file: string): unknown {
  try {
    return readJsonFile(file);
  } catch (cause) {
    throw new Error(`Cannot use the recording "${file}": ${reasonOf(cause)}`, { cause });
  }
}

function toLines(name: string, { isSame, differences, events }: ReplayResult, paint: Paint) {
  const count = `${events.length} ${events.length === 1 ? 'event' : 'events'}`;
  if (isSame) return [`${paint('green', 'Same')}  "${name}": ${count}, as recorded`];
  return [
    `${paint('red', 'Different')}  "${name}": differences: ${differences.length}`,
    ...differences.map((difference) => `  ${difference}`),
  ];
}
