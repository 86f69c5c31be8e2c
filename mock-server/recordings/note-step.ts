import type { RecordingState } from '../control/recording.ts';
import type { Db } from '../core/db.ts';
import { ServiceError } from '../core/errors.ts';
import type { Moment } from '../core/moment.ts';
import type { RecordedCall, RecordedStepRow, RecordingRow } from '../core/tables.ts';
import { describeAccount, describeFault } from './describe-start.ts';
import { withoutSecrets } from '../control/without-secrets.ts';

const RECORDING_ID = 'recording';

/** Maximum number of steps. It limits the memory of a recording that is never stopped. */
export const MAX_STEPS = 10_000;

/** @throws {ServiceError} conflict if a recording is already running */
export function beginRecording(db: Db, name: string, { nowMs }: Moment): RecordingRow {
  if (findRecording(db)) throw new ServiceError('conflict', 'A recording is already running');
  return db.put('recordings', {
    id: RECORDING_ID,
    name,
    startedAtMs: nowMs,
    accounts: Array.from(db.all('tenants'), (tenant) => describeAccount(db, tenant)),
    faults: Array.from(db.all('faults'), describeFault),
    isFull: false,
  });
}

export function findRecording(db: Db): RecordingRow | undefined {
  return db.get('recordings', RECORDING_ID);
}

/** Returns the state of the recording in the form of the control API. */
export function toRecordingState(db: Db): RecordingState {
  const recording = findRecording(db);
  return {
    isRecording: recording !== undefined,
    name: recording?.name ?? null,
    startedAt: recording ? new Date(recording.startedAtMs).toISOString() : null,
    steps: db.count('recordedSteps'),
  };
}

/** @throws {ServiceError} conflict if no recording is running */
export function getRecording(db: Db): RecordingRow {
  const recording = findRecording(db);
  if (recording) return recording;
  throw new ServiceError(
    'conflict',
    'Nothing is being recorded. A reset or a loaded snapshot ends a recording',
  );
}

/** Adds an operation to the current recording, if there is one and it is not full. */
export function noteStep(db: Db, call: RecordedCall, { nowMs }: Moment): void {
  const recording = findRecording(db);
  if (!recording || recording.isFull) return;
  const no = db.count('recordedSteps') + 1;
  if (no > MAX_STEPS) {
    db.put('recordings', { ...recording, isFull: true });
    return;
  }
  const args = call.args && { args: call.args.map(withoutSecrets) };
  const body = call.body !== undefined && { body: withoutSecrets(call.body) };
  db.put('recordedSteps', { ...call, ...args, ...body, id: String(no), no, atMs: nowMs });
}

/** Returns the steps in the order in which they were recorded. */
export function listSteps(db: Db): RecordedStepRow[] {
  return [...db.all('recordedSteps')].sort((a, b) => a.no - b.no);
}

export function forgetRecording(db: Db): void {
  for (const { id } of listSteps(db)) db.delete('recordedSteps', id);
  db.delete('recordings', RECORDING_ID);
}
