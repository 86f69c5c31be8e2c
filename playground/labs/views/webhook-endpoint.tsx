import { useSignal } from '@preact/signals';
import type { EndpointResource } from 'ofage-mock';
import { SCENARIOS } from 'ofage-mock/client';
import type { JSX } from 'preact';
import { toCount } from '../../../mock-server/words/counts.ts';
import { DELIVERY_WORDS } from '../../../mock-server/words/states.ts';
import type { Behaviour } from '../../demo-backend/lab-plan.ts';
import { Panel } from '../../shared/console/parts.tsx';
import { PausedNote } from '../../shared/console/paused-note.tsx';
import { STATE_TONES } from '../../shared/console/tones.ts';
import { Button } from '../../shared/kit/button.tsx';
import { Chip } from '../../shared/kit/chip.tsx';
import { SelectField } from '../../shared/kit/select-field.tsx';
import { announce, attempt } from '../../shared/kit/toast.tsx';
import { useBusy } from '../../shared/kit/use-busy.ts';
import { takesRealTime } from '../webhook/behaviours.ts';
import type { WebhookLab as Lab } from '../webhook/webhook-lab.ts';

/** The outcomes for which an event can be triggered. */
const EVENTS = (['verified', 'failed_age_not_met', 'cancelled'] as const).map((value) => ({
  value,
  text: SCENARIOS.find(({ name }) => name === value)?.title ?? value,
}));

/**
 * Returns a clock move after which the service has paused an endpoint that fails in this way: it pauses after
 * a day of failures, and after an hour of rejections.
 */
function findPausingMove(behaviour: Behaviour | undefined): { name: string; ms: number } {
  if (behaviour === 'server_error' || behaviour === 'reset')
    return { name: 'Let 25 hours pass', ms: 25 * 3_600_000 };
  return { name: 'Let 70 minutes pass', ms: 70 * 60_000 };
}

/**
 * Returns the properties of a button that runs one action of the lab. All buttons of the endpoint share one
 * busy state, so only one action runs at a time. Announces the message that the action resolves to, or its
 * error.
 */
type ToAction = (work: () => Promise<string | void>) => { busy: boolean; onPress(): unknown };

/** Shows the endpoint and its actions, or the button that adds it. */
export function EndpointPanel({ lab }: { lab: Lab }): JSX.Element {
  const busy = useBusy();
  const toAction: ToAction = (work) => ({
    busy: busy.isBusy,
    onPress: () =>
      busy.run(() =>
        attempt(async () => {
          const message = await work();
          if (message) announce(message);
        }),
      ),
  });
  const endpoint = lab.endpoint.value;
  return (
    <Panel
      title="Endpoint"
      actions={
        endpoint && (
          <Button small {...toAction(() => lab.removeEndpoint())} testId="remove-endpoint">
            Remove endpoint
          </Button>
        )
      }
    >
      {endpoint ? (
        <Endpoint lab={lab} endpoint={endpoint} toAction={toAction} />
      ) : (
        <>
          <p class="muted">
            Add the receiver as an endpoint, so that the service sends it every event too.
          </p>
          <div>
            <Button variant="primary" {...toAction(() => lab.addEndpoint())} testId="add-endpoint">
              Add endpoint
            </Button>
          </div>
        </>
      )}
    </Panel>
  );
}

function Endpoint(props: {
  lab: Lab;
  endpoint: EndpointResource;
  toAction: ToAction;
}): JSX.Element {
  const { lab, endpoint, toAction } = props;
  const { state, consecutiveFailures, pending, undelivered, nextAttemptAt } = endpoint.health;
  const event = useSignal<(typeof EVENTS)[number]['value']>('verified');
  const behaviour = lab.receiver.value?.settings.behaviour;
  const isSlow = behaviour !== undefined && takesRealTime(behaviour);
  const pausingMove = findPausingMove(behaviour);
  const repair = findRepair(endpoint);
  return (
    <>
      <div class="row" data-testid="endpoint-state" data-state={state}>
        <Chip tone={STATE_TONES[state]}>{state}</Chip>
        <span class="muted">
          {toCount(consecutiveFailures, 'failure')} in a row · {pending} {DELIVERY_WORDS.pending} ·{' '}
          {undelivered} {DELIVERY_WORDS.undelivered}
        </span>
      </div>
      {repair === 'resume' && (
        <PausedNote health={endpoint.health}>
          <Button variant="primary" {...toAction(() => lab.resume())} testId="resume">
            Test and resume
          </Button>
        </PausedNote>
      )}
      {repair === 'redeliver' && (
        <div class="row">
          <Button variant="primary" {...toAction(() => lab.redeliver())} testId="redeliver">
            Redeliver {undelivered}
          </Button>
        </div>
      )}
      <div class="row row--actions">
        <SelectField
          label="Outcome of the verification"
          hideLabel
          options={EVENTS}
          bind={event}
          testId="event"
        />
        <Button
          variant={repair ? undefined : 'primary'}
          {...toAction(() => lab.trigger(event.value))}
          testId="trigger"
        >
          Trigger event
        </Button>
      </div>
      <div class="row row--actions">
        <Button {...toAction(() => lab.test())} unavailable={state === 'paused'} testId="test">
          Test webhook
        </Button>
        <Button
          {...toAction(() => lab.jumpToRetry())}
          unavailable={nextAttemptAt === null}
          testId="jump"
        >
          Jump to next attempt
        </Button>
        <Button {...toAction(() => lab.advance(pausingMove.ms))} disabled={isSlow} testId="hour">
          {pausingMove.name}
        </Button>
      </div>
      {isSlow && <p class="muted">The clock cannot jump, because each attempt takes real time.</p>}
    </>
  );
}

/** Returns what the endpoint needs first, or null. Events are redelivered only once it is resumed. */
function findRepair({ health }: EndpointResource): 'resume' | 'redeliver' | null {
  if (health.state === 'paused') return 'resume';
  return health.undelivered > 0 ? 'redeliver' : null;
}
