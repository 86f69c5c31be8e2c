import type { Device, DeliveryStatus, EventKind } from '../core/tables.ts';
import type { SessionResource } from './resources.ts';
import type { RoutesOf } from './route.ts';
import type { Snapshot } from './snapshot.ts';

/**
 * A run as a file: the operations that changed something, with their times and results. Names such as `$session1`
 * replace ids and keys, and made-up addresses replace those of receivers. It contains no secrets.
 */
export interface Recording {
  format: 'ofage-recording';
  version: 1;
  name: string;
  /** For readers of the file. */
  description?: string;
  /** The service's time at the start. ISO 8601. */
  startedAt: string;
  /** Milliseconds of the service's time. */
  durationMs: number;
  /**
   * Makes what existed at the start: accounts, keys, endpoints, faults. The first account is the one that
   * every new service begins with, `$account1` with `$pair1`, `$key1` (publishable) and `$key2` (secret).
   */
  setup: RecordedSetup[];
  /** In the order in which they happened. */
  steps: RecordedStep[];
  /** How each session stood when the recording ended, in the order of creation. */
  sessions: RecordedSession[];
  /** Oldest first. */
  events: RecordedEvent[];
}

/** An operation of the control surface: the name of a method and its arguments. */
export interface RecordedSetup {
  operation: string;
  args: unknown[];
  /** The answer of the receiver to a test event. */
  answer?: ReceiverAnswer;
  /** The names of what it makes. */
  creates?: string[];
}

/** An operation of the control surface, or a call of the API or of the hosted page's API. */
export interface RecordedStep {
  /** Milliseconds of the service's time since the start. */
  atMs: number;
  /** A method of `service.control`, or a call: `api.create`, `api.validate`, `hosted.submit`. */
  operation: string;
  /** The arguments of a method. */
  args?: unknown[];
  /** The key of a call to the API, or the session of one from the hosted page. */
  by?: string;
  /** Which device the hosted page is on. */
  device?: Device;
  /** The body of a call. */
  body?: unknown;
  /** The status that a call was answered. */
  status?: number;
  /** The answer of the receiver to a test event. */
  answer?: ReceiverAnswer;
  /** The names of what it made. */
  creates?: string[];
}

export interface RecordedSession {
  session: string;
  status: SessionResource['status'];
  reason: string | null;
  /** Whether a validate consumed it. */
  validated: boolean;
  retries: number;
}

export interface RecordedEvent {
  session: string;
  event: EventKind;
  atMs: number;
  reason: string | null;
  deliveries: RecordedDelivery[];
}

export interface RecordedDelivery {
  /** Null for the legacy webhook. */
  endpoint: string | null;
  /** A made-up address: each address of the recording has one. */
  url: string;
  /** Null while an attempt was under way. */
  status: DeliveryStatus | null;
  /** The receiver's answers, one for each attempt that reached it. */
  answers: ReceiverAnswer[];
}

/** A status, or why there was none. */
export interface ReceiverAnswer {
  status: number | null;
  error: string | null;
  retryAfterMs?: number;
}

/** The recording that is under way. */
export interface RecordingState {
  isRecording: boolean;
  name: string | null;
  startedAt: string | null;
  /** How many operations it has. */
  steps: number;
}

/** The result of a replay. */
export interface ReplayResult {
  /** Whether there are no differences. */
  isSame: boolean;
  /** A sentence for each difference to the recording, the first one first. */
  differences: string[];
  /** Every event of either run, in the order of the recording. */
  events: ReplayedEvent[];
  /** The state in which the replay ended, for `loadSnapshot`. */
  snapshot: Snapshot;
}

export interface ReplayedEvent {
  session: string;
  event: EventKind;
  atMs: number;
  /** Empty when it happened as recorded. */
  differences: string[];
}

/** Records operations and replays them. */
export interface RecordingControl {
  recording(): Promise<RecordingState>;
  /** Records every operation from now on, until `stopRecording`, a reset or a loaded snapshot. */
  startRecording(input?: { name?: string | null }): Promise<RecordingState>;
  stopRecording(): Promise<Recording>;
  /** Checks a recording that was read from a file. Rejects with a sentence that names the place. */
  checkRecording(recording: unknown): Promise<Recording>;
  /**
   * Repeats a recording in a new service in memory and compares the results. Webhooks are answered as they were
   * during the recording, and none leaves the process. This service and its clock stay as they are.
   */
  replay(recording: unknown): Promise<ReplayResult>;
}

export const recordingRoutes = {
  recording: { method: 'GET', path: '/recording' },
  startRecording: { method: 'POST', path: '/recording' },
  stopRecording: { method: 'POST', path: '/recording/stop' },
  checkRecording: { method: 'POST', path: '/recording/check' },
  replay: { method: 'POST', path: '/recording/replay' },
} as const satisfies RoutesOf<RecordingControl>;
