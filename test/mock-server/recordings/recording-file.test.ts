import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { aRun, type RecordedRun } from './a-run.ts';

let my: RecordedRun;
beforeEach(() => {
  my = aRun();
});
afterEach(() => my.service.close());

describe('a file', () => {
  const file = {
    format: 'ofage-recording',
    version: 1,
    name: 'Nothing',
    startedAt: '2026-01-01T00:00:00.000Z',
    durationMs: 10,
    setup: [],
    steps: [
      { atMs: 5, operation: 'clearFaults', args: [] },
      { atMs: 6, operation: 'clearFaults', args: [] },
    ],
    sessions: [],
    events: [],
  };

  it('is checked before anything is done', async () => {
    expect(await my.service.control.checkRecording(file)).toEqual(file);
  });

  const step = (change: object) => ({ ...file, steps: [{ ...file.steps[0], ...change }] });
  it.each([
    ['is not a recording', [], 'it must be a JSON object whose format is "ofage-recording"'],
    ['is of another version', { ...file, version: 2 }, 'its version is 2, and this one reads 1'],
    ['lacks something', { ...file, name: undefined }, 'name: '],
    ['has something unknown', { ...file, extra: 1 }, 'extra: '],
    ['has a wrong time', step({ atMs: -1 }), 'steps.0.atMs: '],
    ['has a time that is no instant', { ...file, startedAt: 'now' }, 'startedAt: '],
    [
      'has an unknown operation',
      step({ operation: 'constructor' }),
      'steps.0.operation: there is no operation "constructor"',
    ],
    [
      'has an operation that is not recorded',
      step({ operation: 'loadSnapshot' }),
      'steps.0.operation: there is no operation "loadSnapshot"',
    ],
    [
      'goes back in time',
      { ...file, steps: file.steps.toReversed() },
      'steps.1.atMs must not be before the step in front of it',
    ],
    ['ends too early', { ...file, durationMs: 5 }, 'durationMs must not be before the last step'],
    [
      'ends too late',
      { ...file, durationMs: Number.MAX_SAFE_INTEGER },
      'it must not end later than the year 9999',
    ],
  ])('that %s is refused', async (_what, input, reason) => {
    const sentence = `Cannot use the recording: ${reason}`;
    await expect(my.service.replay(input as never)).rejects.toThrow(sentence);
    await expect(my.service.control.checkRecording(input)).rejects.toThrow(sentence);
  });
});
