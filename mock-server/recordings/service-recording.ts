import type { Recording, RecordingControl, ReplayResult } from '../control/recording.ts';

/** Records the operations of a service and replays them. */
export interface ServiceRecording {
  /**
   * Records every operation from now on.
   *
   * @param options The name that the recording gets.
   * @returns The recorder, which ends the recording.
   * @throws {Error} when a recording is under way already
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
   * Repeats a recording in a new service in memory and compares the results. This service and its clock stay as
   * they are. No webhook leaves the process, because the recorded answers of the receivers are repeated.
   *
   * @param recording A recording, for example the JSON of a file.
   * @param options Whether to reject when there is a difference.
   * @returns The differences, and the state in which the replay ended.
   * @throws {Error} with a sentence when it is not a recording that this version reads, and with `assert` when the
   * replay differs from it
   */
  replay(recording: Recording, options?: ReplayOptions): Promise<ReplayResult>;
}

/** A recording that is under way. */
export interface Recorder {
  /** Waits for the webhooks that are under way, and ends the recording. */
  stop(): Promise<Recording>;
}

export interface ReplayOptions {
  /**
   * Rejects with the first difference.
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

/** A sentence with the first difference, and how many more there are. */
export function toDifference(name: string, [first = '', ...others]: readonly string[]): string {
  const rest = others.length === 0 ? '' : ` (and ${others.length} more)`;
  return `The replay of "${name}" differs from the recording: ${first}${rest}`;
}
