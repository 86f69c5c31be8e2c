import { CONTROL_ROUTES, type Control } from '../control/control.ts';
import type { Route } from '../control/route.ts';
import { toCallName, type CallFacts } from '../http/api-operation.ts';
import { hostedOperations } from '../http/hosted.ts';
import { sessionOperations } from '../http/sessions.ts';

/** The calls of the API and of the hosted page's API, by the names that recordings give them. */
export const CALLS: ReadonlyMap<string, CallFacts> = new Map(
  [...sessionOperations, ...hostedOperations].map((operation) => [
    toCallName(operation),
    operation,
  ]),
);

/** Methods that a recording does not contain, in addition to every `GET`. */
const UNRECORDED: ReadonlySet<string> = new Set<keyof Control>([
  // These replace the whole state, and so end the recording.
  'reset',
  'loadSnapshot',
  // A shop tells the doctor of events by their ids, which are others in a replay.
  'addObservation',
  // These are not a GET, but change nothing that belongs to a run.
  'explainWebhook',
  'checkRecording',
  'replay',
  'startRecording',
  'stopRecording',
]);

/**
 * The methods of the control surface that recordings contain. Moves of the clock are not recorded, because the
 * times of the steps contain them.
 */
export const RECORDED_METHODS: readonly string[] = Object.entries<Route>(CONTROL_ROUTES)
  .filter(([name, { method }]) => method !== 'GET' && !UNRECORDED.has(name))
  .map(([name]) => name);
