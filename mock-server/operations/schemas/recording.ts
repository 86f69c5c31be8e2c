import * as v from 'valibot';
import { CALLS, RECORDED_METHODS } from '../../recordings/operation-names.ts';
import { count, device, eventKind, flag, id, instant, status, text, textOrNull } from './values.ts';
import { snapshot } from './control.ts';

// Schemas of the recording file and of the control API's responses about recordings.

const named = (names: readonly string[]) =>
  v.picklist(names, ({ received }) => `unknown operation ${received}`);
const method = named(RECORDED_METHODS);
const operation = named([...RECORDED_METHODS, ...CALLS.keys()]);
const args = v.array(v.unknown());
const creates = v.array(id);

const answer = v.strictObject({
  status: v.nullable(count),
  error: textOrNull,
  retryAfterMs: v.exactOptional(count),
});

const delivery = v.strictObject({
  endpoint: textOrNull,
  url: text,
  status: v.nullable(v.picklist(['pending', 'delivered', 'undelivered', 'cancelled'])),
  answers: v.array(answer),
});

export const recording = v.strictObject({
  format: v.literal('ofage-recording'),
  version: v.literal(1),
  name: text,
  description: v.exactOptional(text),
  startedAt: instant,
  durationMs: count,
  setup: v.array(
    v.strictObject({
      operation: method,
      args,
      answer: v.exactOptional(answer),
      creates: v.exactOptional(creates),
    }),
  ),
  steps: v.array(
    v.strictObject({
      atMs: count,
      operation,
      args: v.exactOptional(args),
      by: v.exactOptional(id),
      device: v.exactOptional(device),
      body: v.exactOptional(v.unknown()),
      status: v.exactOptional(count),
      answer: v.exactOptional(answer),
      creates: v.exactOptional(creates),
    }),
  ),
  sessions: v.array(
    v.strictObject({ session: id, status, reason: textOrNull, validated: flag, retries: count }),
  ),
  events: v.array(
    v.strictObject({
      session: id,
      event: eventKind,
      atMs: count,
      reason: textOrNull,
      deliveries: v.array(delivery),
    }),
  ),
});

export const recordingState = v.strictObject({
  isRecording: flag,
  name: textOrNull,
  startedAt: v.nullable(instant),
  steps: count,
});

export const replay = v.strictObject({
  isSame: flag,
  differences: v.array(text),
  events: v.array(
    v.strictObject({
      session: text,
      event: eventKind,
      atMs: count,
      differences: v.array(text),
    }),
  ),
  snapshot,
});
