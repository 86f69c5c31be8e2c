import * as v from 'valibot';
import type { Recording } from '../control/recording.ts';
import { ServiceError } from '../core/errors.ts';
import { isInstant } from '../core/clock.ts';
import { recording as schema } from '../operations/schemas/recording.ts';

/**
 * Checks a recording that was read from a file.
 * @throws {ServiceError} invalid_body, with a sentence that says what is invalid
 */
export function parseRecording(input: unknown): Recording {
  const { format, version }: { format?: unknown; version?: unknown } = Object(input);
  if (format !== 'ofage-recording')
    throw refuse('it must be a JSON object whose format is "ofage-recording"');
  if (version !== 1)
    throw refuse(
      `its version is ${JSON.stringify(version)}, but this version of ofage reads only 1`,
    );
  const result = v.safeParse(schema, input);
  if (!result.success) {
    const [issue] = result.issues;
    throw refuse(`${v.getDotPath(issue) ?? 'the file'}: ${issue.message}`);
  }
  const recording: Recording = result.output;
  checkTimes(recording);
  return recording;
}

function checkTimes({ startedAt, durationMs, steps }: Recording): void {
  const early = steps.findIndex(({ atMs }, index) => atMs < (steps[index - 1]?.atMs ?? 0));
  if (early >= 0) throw refuse(`steps.${early}.atMs must not be before the previous step`);
  if (durationMs < (steps.at(-1)?.atMs ?? 0))
    throw refuse('durationMs must not be less than atMs of the last step');
  if (!isInstant(Date.parse(startedAt) + durationMs))
    throw refuse('it must not end later than the year 9999');
}

function refuse(reason: string): ServiceError {
  const sentence = `Cannot use the recording: ${reason}`;
  return new ServiceError('invalid_body', sentence, [sentence]);
}
