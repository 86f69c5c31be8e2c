import { useSignal } from '@preact/signals';
import type { EndpointResource, HealthResource } from 'ofage/mock';
import type { ComponentChildren, JSX } from 'preact';
import { useId } from 'preact/hooks';
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
  { value: 'verified', text: 'Verification passes' },
  { value: 'failed_age_not_met', text: 'Verification fails' },
  { value: 'cancelled', text: 'Verification is cancelled' },
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
      Remove endpoint
    </Button>
  ) : (
    <Button variant="primary" {...toAction(() => lab.addEndpoint())} testId="add-endpoint">
      Add endpoint
    </Button>
  );
  return (
    <Panel title="Endpoint" actions={toggle}>
      {endpoint ? (
        <Endpoint lab={lab} endpoint={endpoint} toAction={toAction} />
      ) : (
        <p class="muted">
          No endpoint yet. Add one so that the service sends every event to this receiver too.
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
      <div class="actions">
        <Trigger lab={lab} toAction={toAction} />
        <TimeControls lab={lab} health={endpoint.health} toAction={toAction} />
        <ActionGroup caption="Repair">
          <Button {...toAction(() => lab.test())} testId="test">
            Send test event
          </Button>
          <Button {...toAction(() => lab.resume())} testId="resume">
            Test and resume
          </Button>
          <Button {...toAction(() => lab.redeliver())} testId="redeliver">
            Redeliver
          </Button>
        </ActionGroup>
      </div>
      <h3>Deliveries</h3>
      <Deliveries deliveries={lab.deliveries.value} />
    </>
  );
}

/** Buttons with a common purpose, under a caption. */
function ActionGroup(props: { caption: string; children: ComponentChildren }): JSX.Element {
  const id = useId();
  return (
    <div role="group" aria-labelledby={id}>
      <span id={id} class="field__label">
        {props.caption}
      </span>
      <div class="row">{props.children}</div>
    </div>
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
    <ActionGroup caption="Send an event">
      <SelectField
        label="Outcome of the verification"
        hideLabel
        options={EVENTS}
        bind={event}
        testId="event"
      />
      <Button variant="primary" {...toAction(() => lab.trigger(event.value))} testId="trigger">
        Trigger event
      </Button>
    </ActionGroup>
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
    <ActionGroup caption="Move the clock">
      <Button
        {...toAction(() => lab.jumpToRetry())}
        unavailable={health.nextAttemptAt === null}
        testId="jump"
      >
        Jump to next attempt
      </Button>
      <Button {...toAction(() => lab.advance(SEVENTY_MINUTES_MS))} disabled={isSlow} testId="hour">
        Let 70 minutes pass
      </Button>
      {isSlow && <span class="muted">Not available, because each attempt takes real time.</span>}
    </ActionGroup>
  );
}
