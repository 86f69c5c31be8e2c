import type { Device, DeliveryStatus, EventKind } from '../core/tables.ts';
import type { SessionResource } from './resources.ts';
import type { RoutesOf } from './route.ts';
import type { Snapshot } from './snapshot.ts';

/**
 * A recorded run. It contains the operations that changed something, with their times and results, but no
 * secrets. Names such as `$session1` replace ids and keys, and placeholders replace the addresses of
 * receivers.
 */
export interface Recording {
  format: 'ofage-recording';
  version: 1;
  name: string;
  /** A text for readers of the file. */
  description?: string;
  /** The virtual time at the start, in ISO 8601. */
  startedAt: string;
  /** The length of the recording in virtual time, in milliseconds. */
  durationMs: number;
  /**
   * Operations that recreate the state at the start, such as accounts, endpoints and faults, as far as the
   * steps need it. The first account is the one that every new service has: `$account1` with `$pair1`,
   * `$key1` (publishable) and `$key2` (secret).
   */
  setup: RecordedSetup[];
  /** The steps in the order in which they happened. */
  steps: RecordedStep[];
  /** The final state of the sessions that the recorded run created, in order of creation. */
  sessions: RecordedSession[];
  /** The events, oldest first. */
  events: RecordedEvent[];
}

/** An operation of the control API: the name of a method and its arguments. */
export interface RecordedSetup {
  operation: string;
  args: unknown[];
  /** The receiver's response to a test event. */
  answer?: ReceiverAnswer;
  /** The names of the resources that it creates. */
  creates?: string[];
}

/** An operation of the control API, or a call to the public API or to the hosted page's API. */
export interface RecordedStep {
  /** Virtual time since the start, in milliseconds. */
  atMs: number;
  /** A method of `service.control`, or a call such as `api.create`, `api.validate` or `hosted.submit`. */
  operation: string;
  /** The arguments of a method. */
  args?: unknown[];
  /** The key of an API call, or the session of a call from the hosted page. */
  by?: string;
  /** The device that shows the hosted page. */
  device?: Device;
  /** The body of a call. */
  body?: unknown;
  /** The response status of a call. */
  status?: number;
  /** The receiver's response to a test event. */
  answer?: ReceiverAnswer;
  /** The names of the resources that it created. */
  creates?: string[];
}

/** The final state of a session of the recorded run. */
export interface RecordedSession {
  session: string;
  status: SessionResource['status'];
  reason: string | null;
  /** True if a validate call has consumed the session. */
  validated: boolean;
  retries: number;
}

/** An event of the recorded run, with its deliveries. */
export interface RecordedEvent {
  session: string;
  event: EventKind;
  atMs: number;
  reason: string | null;
  deliveries: RecordedDelivery[];
}

/** The delivery of an event to one endpoint, with the responses of the receiver. */
export interface RecordedDelivery {
  /** Null for the legacy webhook. */
  endpoint: string | null;
  /** A placeholder for the receiver's address. Each address has a different placeholder. */
  url: string;
  /** Null if an attempt was in flight when the recording ended. */
  status: DeliveryStatus | null;
  /**
   * The receiver's responses or errors, one for each finished attempt whose result was not injected by a
   * fault.
   */
  answers: ReceiverAnswer[];
}

/** The status of a response, or the reason why there was none. */
export interface ReceiverAnswer {
  status: number | null;
  error: string | null;
  retryAfterMs?: number;
}

/** The state of the current recording. `name` and `startedAt` are null if there is none. */
export interface RecordingState {
  isRecording: boolean;
  name: string | null;
  startedAt: string | null;
  /** The number of operations recorded so far. */
  steps: number;
}

/** The differences that a replay found, its events and its final state. */
export interface ReplayResult {
  /** True if there are no differences. */
  isSame: boolean;
  /**
   * A sentence for each difference from the recording: those of the steps first, then those of the events
   * and the sessions.
   */
  differences: string[];
  /** Every event of the recording, in its order, followed by the events that only the replay has. */
  events: ReplayedEvent[];
  /** The state at the end of the replay, for `loadSnapshot`. */
  snapshot: Snapshot;
}

/** An event of the recording or the replay, with its differences from the recording. */
export interface ReplayedEvent {
  session: string;
  event: EventKind;
  atMs: number;
  /** Empty if it happened as recorded. */
  differences: string[];
}

/** The methods that record operations and replay them. */
export interface RecordingControl {
  /** Tells whether a recording is running, and how many operations it contains so far. */
  recording(): Promise<RecordingState>;
  /**
   * Starts to record the operations that change something, until `stopRecording`, a reset or a loaded
   * snapshot.
   */
  startRecording(input?: { name?: string | null }): Promise<RecordingState>;
  /** Ends the recording and returns it. */
  stopRecording(): Promise<Recording>;
  /** Checks a recording that was read from a file. Rejects with a sentence that names the invalid field. */
  checkRecording(recording: unknown): Promise<Recording>;
  /**
   * Replays a recording in a new service in memory and compares the results. Webhooks get the recorded
   * responses, and none leaves the process. This service and its clock do not change.
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
