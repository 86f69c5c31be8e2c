import type { Recording, RecordingControl, ReplayResult } from '../control/recording.ts';

/** Records the operations of a service and replays them. */
export interface ServiceRecording {
  /**
   * Starts to record the operations that change something.
   *
   * @param options The name of the recording.
   * @returns A recorder, whose `stop()` ends the recording.
   * @throws {Error} if a recording is already running
   * @example
   * ```ts
   * import { createMockService } from 'ofage/mock';
   *
   * const service = createMockService({ clock: { frozen: true } });
   * const recorder = await service.record({ name: 'Too young' });
   * await service.control.trigger({ name: 'failed_age_not_met' });
   * const recording = await recorder.stop();
   * await service.replay(recording, { assert: true });
   * ```
   */
  record(options?: { name?: string }): Promise<Recorder>;
  /**
   * Replays a recording in a new service in memory and compares the results. This service and its clock do
   * not change. No webhook leaves the process, because the recorded responses of the receivers are used.
   *
   * @param recording A recording, for example the JSON of a file.
   * @param options Tells whether to reject if there is a difference.
   * @returns The differences, and the state at the end of the replay.
   * @throws {Error} if this version cannot read the recording, or if `assert` is set and the replay differs
   *   from it
   */
  replay(recording: Recording, options?: ReplayOptions): Promise<ReplayResult>;
}

/** A recording in progress. */
export interface Recorder {
  /** Waits for the webhooks that are in flight, and ends the recording. */
  stop(): Promise<Recording>;
}

/** Options of `replay()`. */
export interface ReplayOptions {
  /**
   * If true, rejects with the first difference.
   * @default false
   */
  assert?: boolean;
}

export function createServiceRecording(control: RecordingControl): ServiceRecording {
  return {
    async record(options = {}) {
      await control.startRecording(options);
      return { stop: () => control.stopRecording() };
    },
    async replay(recording, { assert = false } = {}) {
      const result = await control.replay(recording);
      const [first] = result.differences;
      if (!assert || first === undefined) return result;
      throw new Error(toDifference(recording.name, result.differences));
    },
  };
}

/** Describes the first difference and the number of further ones in a sentence. */
export function toDifference(name: string, [first = '', ...others]: readonly string[]): string {
  const rest = others.length === 0 ? '' : ` (and ${others.length} more)`;
  return `The replay of "${name}" differs from the recording: ${first}${rest}`;
}
