import { CONTROL_ROUTES, type Control } from '../control/control.ts';
import type { Route } from '../control/route.ts';
import { toCallName, type CallFacts } from '../http/api-operation.ts';
import { hostedOperations } from '../http/hosted.ts';
import { sessionOperations } from '../http/sessions.ts';

/**
 * The calls of the public API and of the hosted page's API, keyed by the names that recordings use for
 * them.
 */
export const CALLS: ReadonlyMap<string, CallFacts> = new Map(
  [...sessionOperations, ...hostedOperations].map((operation) => [
    toCallName(operation),
    operation,
  ]),
);

/** Methods that are not recorded, in addition to every `GET`. */
const UNRECORDED: ReadonlySet<string> = new Set<keyof Control>([
  // These replace the whole state, which ends the recording.
  'reset',
  'loadSnapshot',
  // An observation refers to events by their ids, and a replay has different ids.
  'addObservation',
  // These methods are not GET requests, but they change nothing that belongs to a run.
  'explainWebhook',
  'checkRecording',
  'replay',
  'startRecording',
  'stopRecording',
]);

/**
 * The methods of the control API that are recorded. Clock moves are left out, because each step has its own
 * time.
 */
export const RECORDED_METHODS: readonly string[] = Object.entries<Route>(CONTROL_ROUTES)
  .filter(([name, { method }]) => method !== 'GET' && !UNRECORDED.has(name))
  .map(([name]) => name);
