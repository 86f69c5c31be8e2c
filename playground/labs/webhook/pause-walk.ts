import type { EndpointResource } from 'ofage/mock';
import type { ReceiverState } from '../../merchant-backend/lab-plan.ts';

/** A step of the walk-through from a refusing receiver to a paused and resumed endpoint. */
export interface WalkStep {
  readonly id: 'add' | 'refuse' | 'trigger' | 'hour' | 'accept' | 'resume' | 'redeliver';
  readonly text: string;
  readonly isDone: boolean;
}

/** Milestones since the walk-through began. They stay true when the endpoint's state changes again. */
export interface WalkMemory {
  readonly wasPaused: boolean;
  readonly wasResumed: boolean;
  readonly wasRedelivered: boolean;
}

export const NEW_WALK: WalkMemory = { wasPaused: false, wasResumed: false, wasRedelivered: false };

/** Returns the steps of the walk-through. The first step that is not done is the next one. */
export function toWalk(
  endpoint: EndpointResource | null,
  receiver: ReceiverState,
  { wasPaused, wasResumed, wasRedelivered }: WalkMemory,
): readonly WalkStep[] {
  // The receiver keeps its settings and requests when the endpoint is gone, for example after a reset.
  const isAdded = endpoint !== null;
  const refuses = ['unauthorized', 'gone'].includes(receiver.settings.behaviour);
  const wasRefused = receiver.requests.some(({ answer }) => /^4\d\d$/.test(answer));
  return [
    { id: 'add', text: 'Add the receiver as an endpoint', isDone: isAdded },
    {
      id: 'refuse',
      text: 'Let it answer 401',
      isDone: isAdded && (wasPaused || refuses || wasRefused),
    },
    { id: 'trigger', text: 'Trigger an event', isDone: isAdded && (wasPaused || wasRefused) },
    { id: 'hour', text: 'Let 70 minutes pass, which pauses the endpoint', isDone: wasPaused },
    {
      id: 'accept',
      text: 'Let it answer 200 again',
      isDone: wasPaused && (wasResumed || receiver.settings.behaviour === 'ok'),
    },
    { id: 'resume', text: 'Test and resume', isDone: wasResumed },
    { id: 'redeliver', text: 'Redeliver the missed events', isDone: wasRedelivered },
  ];
}
