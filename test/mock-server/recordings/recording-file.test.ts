import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { aRun, type RecordedRun } from './a-run.ts';

let my: RecordedRun;
beforeEach(() => {
  my = aRun();
});
afterEach(() => my.service.close());

describe('a recording file', () => {
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

  it('is returned unchanged by checkRecording() if it is valid', async () => {
    expect(await my.service.control.checkRecording(file)).toEqual(file);
  });

  const step = (change: object) => ({ ...file, steps: [{ ...file.steps[0], ...change }] });
  it.each([
    ['is not a recording', [], 'it must be a JSON object whose format is "ofage-recording"'],
    [
      'has a different version',
      { ...file, version: 2 },
      'its version is 2, but this version of ofage reads only 1',
    ],
    ['lacks a field', { ...file, name: undefined }, 'name: '],
    ['has an unknown field', { ...file, extra: 1 }, 'extra: '],
    ['has a negative time', step({ atMs: -1 }), 'steps.0.atMs: '],
    ['has an invalid start time', { ...file, startedAt: 'now' }, 'startedAt: '],
    [
      'has an unknown operation',
      step({ operation: 'constructor' }),
      'steps.0.operation: unknown operation "constructor"',
    ],
    [
      'has an operation that is not recorded',
      step({ operation: 'loadSnapshot' }),
      'steps.0.operation: unknown operation "loadSnapshot"',
    ],
    [
      'has steps that go back in time',
      { ...file, steps: file.steps.toReversed() },
      'steps.1.atMs must not be before the previous step',
    ],
    [
      'ends before its last step',
      { ...file, durationMs: 5 },
      'durationMs must not be less than atMs of the last step',
    ],
    [
      'ends after the year 9999',
      { ...file, durationMs: Number.MAX_SAFE_INTEGER },
      'it must not end later than the year 9999',
    ],
  ])('is rejected if it %s', async (_fault, input, reason) => {
    const sentence = `Cannot use the recording: ${reason}`;
    await expect(my.service.replay(input as never)).rejects.toThrow(sentence);
    await expect(my.service.control.checkRecording(input)).rejects.toThrow(sentence);
  });
});
