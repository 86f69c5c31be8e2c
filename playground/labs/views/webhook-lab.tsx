import { useComputed, useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect, useMemo } from 'preact/hooks';
import { BEHAVIOURS, type Behaviour } from '../../merchant-backend/lab-plan.ts';
import { announce, attempt } from '../../shared/console/announce.tsx';
import { Badge, Field, Panel } from '../../shared/console/parts.tsx';
import type { Provider } from '../../shared/provider.ts';
import type { Receiver, ShopLab } from '../shop-lab.ts';
import { BEHAVIOUR_TEXTS, takesRealTime } from '../webhook/behaviours.ts';
import type { Pasted } from '../webhook/explain.ts';
import { toWalk } from '../webhook/pause-walk.ts';
import { type WebhookLab as Lab, createWebhookLab } from '../webhook/webhook-lab.ts';
import { Deliveries } from './deliveries.tsx';
import { Explainer } from './explainer.tsx';
import { Requests } from './requests.tsx';

const EVENTS = [
  { name: 'verified', title: 'A verification that passes' },
  { name: 'failed_age_not_met', title: 'One that fails' },
  { name: 'cancelled', title: 'One that is cancelled' },
] as const;

const SEVENTY_MINUTES_MS = 70 * 60_000;

export function WebhookLab(props: { provider: Provider; shop: ShopLab }): JSX.Element {
  const { provider, shop } = props;
  const lab = useMemo(() => createWebhookLab(provider, shop), [provider, shop]);
  const trouble = useSignal('');
  const pasted = useSignal<Pasted>({ body: '', header: '', secret: '' });
  useEffect(() => {
    lab.refresh().catch((error: unknown) => {
      trouble.value = error instanceof Error ? error.message : String(error);
    });
    return lab.follow();
  }, [lab]);

  const receiver = lab.receiver.value;
  return (
    <>
      {receiver ? (
        <Workbench lab={lab} receiver={receiver} pasted={(value) => (pasted.value = value)} />
      ) : (
        <p class={trouble.value ? 'note note--bad' : 'muted'} role="status">
          {trouble.value || 'Looking for the receiver…'}
        </p>
      )}
      <Explainer provider={provider} pasted={pasted} receiver={lab.receiver} />
    </>
  );
}

function Workbench(props: {
  lab: Lab;
  receiver: Receiver;
  pasted: (value: Pasted) => void;
}): JSX.Element {
  const { lab, receiver, pasted } = props;
  return (
    <div class="workbench" data-testid="workbench">
      <div class="workbench__side">
        <ReceiverPanel lab={lab} receiver={receiver} />
        <Walk lab={lab} receiver={receiver} />
      </div>
      <div class="workbench__main">
        <EndpointPanel lab={lab} receiver={receiver} />
        <Requests lab={lab} receiver={receiver} pasted={pasted} />
      </div>
    </div>
  );
}

function ReceiverPanel({ lab, receiver }: { lab: Lab; receiver: Receiver }): JSX.Element {
  const { behaviour, seconds, remembersEvents } = receiver.settings;
  return (
    <Panel title="The receiver">
      <p class="muted">
        A route of the demo shop’s server: <code class="wrap">{receiver.url}</code>
      </p>
      <Field label="What it does" hint={BEHAVIOUR_TEXTS[behaviour].what}>
        {(ids) => (
          <select
            class="input"
            {...ids}
            data-testid="behaviour"
            value={behaviour}
            onChange={({ currentTarget }) =>
              void attempt(() => lab.set({ behaviour: currentTarget.value as Behaviour }))
            }
          >
            {BEHAVIOURS.map((one) => (
              <option key={one} value={one}>
                {BEHAVIOUR_TEXTS[one].title}
              </option>
            ))}
          </select>
        )}
      </Field>
      {(behaviour === 'slow' || behaviour === 'too_many') && (
        <Field label={behaviour === 'slow' ? 'Seconds until it answers' : 'Retry-After, seconds'}>
          {(ids) => (
            <input
              class="input"
              {...ids}
              type="number"
              min={1}
              max={60}
              data-testid="seconds"
              value={seconds}
              onChange={({ currentTarget }) =>
                void attempt(() => lab.set({ seconds: currentTarget.valueAsNumber }))
              }
            />
          )}
        </Field>
      )}
      <label class="check">
        <input
          type="checkbox"
          data-testid="remembers"
          checked={remembersEvents}
          onChange={({ currentTarget }) =>
            void attempt(() => lab.set({ remembersEvents: currentTarget.checked }))
          }
        />
        Remembers which events it has processed
      </label>
    </Panel>
  );
}

function Walk({ lab, receiver }: { lab: Lab; receiver: Receiver }): JSX.Element {
  const steps = toWalk(lab.endpoint.value, receiver, lab.walk.value);
  const next = steps.find(({ isDone }) => !isDone);
  return (
    <Panel title="Try this: a pause, and the way out">
      <ol class="walk">
        {steps.map((step) => (
          <li
            key={step.id}
            class={step.isDone ? 'walk__step walk__step--done' : 'walk__step'}
            data-testid={`walk-${step.id}`}
            data-done={String(step.isDone)}
            {...(step === next ? { 'aria-current': 'step' as const } : {})}
          >
            <span aria-hidden="true" class="walk__mark">
              {step.isDone ? '✓' : ''}
            </span>
            {step.text}
            {step.isDone && <span class="visually-hidden"> (done)</span>}
          </li>
        ))}
      </ol>
    </Panel>
  );
}

function EndpointPanel({ lab, receiver }: { lab: Lab; receiver: Receiver }): JSX.Element {
  const event = useSignal<string>(EVENTS[0].name);
  const isBusy = useSignal(false);
  const health = useComputed(() => lab.endpoint.value?.health ?? null);
  const run = async (work: () => Promise<string | void>): Promise<void> => {
    // Not by disabling the buttons: whoever works by keyboard would lose their place.
    if (isBusy.value) return;
    isBusy.value = true;
    await attempt(async () => {
      const said = await work();
      if (said) announce(said);
    });
    isBusy.value = false;
  };
  const isSlow = takesRealTime(receiver.settings.behaviour);
  const endpoint = lab.endpoint.value;

  const toggle = endpoint ? (
    <button
      type="button"
      class="button button--small"
      data-testid="remove-endpoint"
      aria-disabled={isBusy.value}
      onClick={() => void run(() => lab.removeEndpoint())}
    >
      Remove the endpoint
    </button>
  ) : (
    <button
      type="button"
      class="button button--primary"
      data-testid="add-endpoint"
      aria-disabled={isBusy.value}
      onClick={() => void run(() => lab.addEndpoint())}
    >
      Add this receiver as an endpoint
    </button>
  );
  return (
    <Panel title="The endpoint at the service" actions={toggle}>
      {!endpoint && (
        <p class="muted">
          The service does not send here yet. Once it is added, every event goes to the demo shop
          and to this receiver.
        </p>
      )}
      {endpoint && health.value && (
        <>
          <div class="row" data-testid="endpoint-state" data-state={health.value.state}>
            <Badge tone={toneOf(health.value.state)}>{health.value.state}</Badge>
            <span class="muted">
              {health.value.consecutiveFailures} failures in a row · {health.value.pending} waiting
              · {health.value.undelivered} not delivered
            </span>
          </div>
          {health.value.notice && <p class="note note--bad">{health.value.notice}</p>}
          <div class="row">
            <select
              class="input input--auto"
              aria-label="Which event"
              data-testid="event"
              value={event.value}
              onChange={({ currentTarget }) => (event.value = currentTarget.value)}
            >
              {EVENTS.map(({ name, title }) => (
                <option key={name} value={name}>
                  {title}
                </option>
              ))}
            </select>
            <button
              type="button"
              class="button button--primary"
              data-testid="trigger"
              aria-disabled={isBusy.value}
              onClick={() => void run(() => lab.trigger(event.value))}
            >
              Trigger an event
            </button>
          </div>
          <div class="row" role="group" aria-label="Time">
            <button
              type="button"
              class="button"
              data-testid="jump"
              aria-disabled={isBusy.value || health.value.nextAttemptAt === null}
              onClick={() => void run(() => lab.jumpToRetry())}
            >
              Jump to the next try
            </button>
            <button
              type="button"
              class="button"
              data-testid="hour"
              aria-disabled={isBusy.value}
              disabled={isSlow}
              onClick={() => void run(() => lab.advance(SEVENTY_MINUTES_MS))}
            >
              Let 70 minutes pass
            </button>
            {isSlow && (
              <span class="muted">An hour of tries that wait would take minutes of yours.</span>
            )}
          </div>
          <div class="row" role="group" aria-label="Endpoint">
            <button
              type="button"
              class="button"
              data-testid="test"
              aria-disabled={isBusy.value}
              onClick={() => void run(() => lab.test())}
            >
              Send a test
            </button>
            <button
              type="button"
              class="button"
              data-testid="resume"
              aria-disabled={isBusy.value}
              onClick={() => void run(() => lab.resume())}
            >
              Test and resume
            </button>
            <button
              type="button"
              class="button"
              data-testid="redeliver"
              aria-disabled={isBusy.value}
              onClick={() => void run(() => lab.redeliver())}
            >
              Redeliver
            </button>
          </div>
          <Deliveries deliveries={lab.deliveries.value} />
        </>
      )}
    </Panel>
  );
}

function toneOf(state: string): 'good' | 'bad' | 'warn' {
  if (state === 'paused' || state === 'disabled') return 'bad';
  return state === 'healthy' ? 'good' : 'warn';
}
