import { useSignal } from '@preact/signals';
import type { EndpointResource, HealthResource } from 'ofage/mock';
import type { JSX } from 'preact';
import { Panel } from '../../shared/console/parts.tsx';
import { STATE_TONES } from '../../shared/console/tones.ts';
import { Button } from '../../shared/kit/button.tsx';
import { Chip } from '../../shared/kit/chip.tsx';
import { SelectField } from '../../shared/kit/select-field.tsx';
import { announce, attempt } from '../../shared/kit/toast.tsx';
import { useBusy } from '../../shared/kit/use-busy.ts';
import { toCount } from '../../shared/to-count.ts';
import { takesRealTime } from '../webhook/behaviours.ts';
import type { WebhookLab } from '../webhook/webhook-lab.ts';
import { Deliveries } from './deliveries.tsx';

const EVENTS = [
  { value: 'verified', text: 'A verification that passes' },
  { value: 'failed_age_not_met', text: 'One that fails' },
  { value: 'cancelled', text: 'One that is cancelled' },
] as const;

const SEVENTY_MINUTES_MS = 70 * 60_000;

/** Returns the properties of a button that runs one action of the lab. Only one action runs at a time. */
type ToAction = (work: () => Promise<string | void>) => { busy: boolean; onPress(): unknown };

/** Shows the receiver's endpoint with all actions. */
export function EndpointPanel({ lab }: { lab: WebhookLab }): JSX.Element {
  const busy = useBusy();
  const toAction: ToAction = (work) => ({
    busy: busy.isBusy,
    onPress: () =>
      busy.run(() =>
        attempt(async () => {
          const said = await work();
          if (said) announce(said);
        }),
      ),
  });
  const endpoint = lab.endpoint.value;
  const toggle = endpoint ? (
    <Button small {...toAction(() => lab.removeEndpoint())} testId="remove-endpoint">
      Remove the endpoint
    </Button>
  ) : (
    <Button variant="primary" {...toAction(() => lab.addEndpoint())} testId="add-endpoint">
      Add this receiver as an endpoint
    </Button>
  );
  return (
    <Panel title="The endpoint at the service" actions={toggle}>
      {endpoint ? (
        <Endpoint lab={lab} endpoint={endpoint} toAction={toAction} />
      ) : (
        <p class="muted">
          The service does not send here yet. Once it is added, every event goes to the demo shop
          and to this receiver.
        </p>
      )}
    </Panel>
  );
}

function Endpoint(props: {
  lab: WebhookLab;
  endpoint: EndpointResource;
  toAction: ToAction;
}): JSX.Element {
  const { lab, endpoint, toAction } = props;
  return (
    <>
      <Health health={endpoint.health} />
      <Trigger lab={lab} toAction={toAction} />
      <TimeControls lab={lab} health={endpoint.health} toAction={toAction} />
      <div class="row" role="group" aria-label="Endpoint">
        <Button {...toAction(() => lab.test())} testId="test">
          Send a test
        </Button>
        <Button {...toAction(() => lab.resume())} testId="resume">
          Test and resume
        </Button>
        <Button {...toAction(() => lab.redeliver())} testId="redeliver">
          Redeliver
        </Button>
      </div>
      <Deliveries deliveries={lab.deliveries.value} />
    </>
  );
}

function Health({ health }: { health: HealthResource }): JSX.Element {
  const { state, consecutiveFailures, pending, undelivered, notice } = health;
  return (
    <>
      <div class="row" data-testid="endpoint-state" data-state={state}>
        <Chip tone={STATE_TONES[state]}>{state}</Chip>
        <span class="muted">
          {toCount(consecutiveFailures, 'failure')} in a row · {pending} waiting · {undelivered} not
          delivered
        </span>
      </div>
      {notice && <p class="note note--bad">{notice}</p>}
    </>
  );
}

function Trigger({ lab, toAction }: { lab: WebhookLab; toAction: ToAction }): JSX.Element {
  const event = useSignal<(typeof EVENTS)[number]['value']>('verified');
  return (
    <div class="row">
      <SelectField label="Which event" hideLabel options={EVENTS} bind={event} testId="event" />
      <Button variant="primary" {...toAction(() => lab.trigger(event.value))} testId="trigger">
        Trigger an event
      </Button>
    </div>
  );
}

function TimeControls(props: {
  lab: WebhookLab;
  health: HealthResource;
  toAction: ToAction;
}): JSX.Element {
  const { lab, health, toAction } = props;
  const behaviour = lab.receiver.value?.settings.behaviour;
  const isSlow = behaviour !== undefined && takesRealTime(behaviour);
  return (
    <div class="row" role="group" aria-label="Time">
      <Button
        {...toAction(() => lab.jumpToRetry())}
        unavailable={health.nextAttemptAt === null}
        testId="jump"
      >
        Jump to the next try
      </Button>
      <Button {...toAction(() => lab.advance(SEVENTY_MINUTES_MS))} disabled={isSlow} testId="hour">
        Let 70 minutes pass
      </Button>
      {isSlow && <span class="muted">An hour of tries that wait would take minutes of yours.</span>}
    </div>
  );
}
