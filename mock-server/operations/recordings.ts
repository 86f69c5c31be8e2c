import * as v from 'valibot';
import type { RecordingControl } from '../control/recording.ts';
import { ServiceError } from '../core/errors.ts';
import { optionalText } from '../input/fields.ts';
import {
  beginRecording,
  getRecording,
  MAX_STEPS,
  toRecordingState,
} from '../recordings/note-step.ts';
import { parseRecording } from '../recordings/parse-recording.ts';
import { endRecording } from '../recordings/write-recording.ts';
import { op, type OperationsOf } from './operation.ts';
import * as show from './schemas/recording.ts';

const MAX_RECORDING_BYTES = 33_554_432;

const example = {
  format: 'ofage-recording',
  version: 1,
  name: 'Too young',
  startedAt: '2026-01-01T00:00:00.000Z',
  durationMs: 30_000,
  setup: [],
  steps: [
    {
      atMs: 0,
      operation: 'api.create',
      by: '$key2',
      body: { returnUrl: 'http://localhost/' },
      status: 201,
      creates: ['$session1'],
    },
    { atMs: 30_000, operation: 'settle', args: ['$session1', 'failed_age_not_met'] },
  ],
  sessions: [
    { session: '$session1', status: 'failed', reason: 'age_not_met', validated: false, retries: 0 },
  ],
  events: [],
};

export const recordingOperations = {
  recording: op({
    summary: 'Get the state of the recording',
    response: show.recordingState,
    run: ({ transact }) => transact(toRecordingState),
  }),
  startRecording: op({
    summary: 'Start a recording',
    input: v.object({ name: optionalText('name') }),
    example: { name: 'Too young' },
    response: show.recordingState,
    status: 201,
    refusals: [409],
    run: ({ transact }, { name }) =>
      transact((db, moment) => {
        beginRecording(db, name ?? 'Recording', moment);
        return toRecordingState(db);
      }),
  }),
  stopRecording: op({
    summary: 'End the recording and get it as a file',
    response: show.recording,
    refusals: [409],
    async run({ transact, useClock }) {
      await transact(getRecording);
      // Waits for the webhooks that are in flight.
      await useClock((clock) => clock.advance(0));
      const recording = await transact(endRecording);
      if (recording) return recording;
      throw new ServiceError(
        'conflict',
        `Cannot save the recording: it has more than ${MAX_STEPS} operations. Record a shorter run`,
      );
    },
  }),
  checkRecording: op({
    summary: 'Check a recording that was read from a file',
    uncheckedBody: show.recording,
    maxBodyBytes: MAX_RECORDING_BYTES,
    example,
    response: show.recording,
    refusals: [413],
    run: async (_context, recording) => parseRecording(recording),
  }),
  replay: op({
    summary: 'Replay a recording in a new service and compare the results',
    uncheckedBody: show.recording,
    maxBodyBytes: MAX_RECORDING_BYTES,
    example,
    response: show.replay,
    refusals: [413],
    run: async ({ replayer }, recording) => replayer.replay(parseRecording(recording)),
  }),
} satisfies OperationsOf<RecordingControl>;
