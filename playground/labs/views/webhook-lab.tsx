import { useComputed, useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect, useMemo } from 'preact/hooks';
import { BEHAVIOURS } from '../../merchant-backend/lab-plan.ts';
import { toCount } from '../../shared/to-count.ts';
import { Panel } from '../../shared/console/parts.tsx';
import { Button } from '../../shared/kit/button.tsx';
import { CheckField } from '../../shared/kit/check-field.tsx';
import { Chip } from '../../shared/kit/chip.tsx';
import { Field } from '../../shared/kit/field.tsx';
import { SelectField } from '../../shared/kit/select-field.tsx';
import { announce, attempt } from '../../shared/kit/toast.tsx';
import { useBusy } from '../../shared/kit/use-busy.ts';
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
  { value: 'verified', text: 'A verification that passes' },
  { value: 'failed_age_not_met', text: 'One that fails' },
  { value: 'cancelled', text: 'One that is cancelled' },
] as const;

const SEVENTY_MINUTES_MS = 70 * 60_000;

export function WebhookLab(props: { provider: Provider; shop: ShopLab }): JSX.Element {
  const { provider, shop } = props;
  const lab = useMemo(() => createWebhookLab(provider, shop), [provider, shop]);
  const trouble = lab.trouble.value;
  const pasted = useSignal<Pasted>({ body: '', header: '', secret: '' });
  useEffect(() => lab.close, [lab]);

  const receiver = lab.receiver.value;
  return (
    <>
      {receiver && lab.isReady.value ? (
        <Workbench lab={lab} receiver={receiver} pasted={(value) => (pasted.value = value)} />
      ) : (
        <p class={trouble ? 'note note--bad' : 'muted'} role="status">
          {trouble || 'Looking for the receiver…'}
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
      <SelectField
        label="What it does"
        hint={BEHAVIOUR_TEXTS[behaviour].what}
        options={BEHAVIOURS.map((one) => ({ value: one, text: BEHAVIOUR_TEXTS[one].title }))}
        value={behaviour}
        onValue={(behaviour) => void attempt(() => lab.set({ behaviour }))}
        testId="behaviour"
      />
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
      <CheckField
        label="Remembers which events it has processed"
        value={remembersEvents}
        onValue={(remembersEvents) => void attempt(() => lab.set({ remembersEvents }))}
        testId="remembers"
      />
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
  const event = useSignal<(typeof EVENTS)[number]['value']>('verified');
  const busy = useBusy();
  const health = useComputed(() => lab.endpoint.value?.health ?? null);
  const run = (work: () => Promise<string | void>): Promise<void> =>
    busy.run(() =>
      attempt(async () => {
        const said = await work();
        if (said) announce(said);
      }),
    );
  const isSlow = takesRealTime(receiver.settings.behaviour);
  const endpoint = lab.endpoint.value;

  const toggle = endpoint ? (
    <Button
      small
      busy={busy.isBusy}
      onPress={() => run(() => lab.removeEndpoint())}
      testId="remove-endpoint"
    >
      Remove the endpoint
    </Button>
  ) : (
    <Button
      look="primary"
      busy={busy.isBusy}
      onPress={() => run(() => lab.addEndpoint())}
      testId="add-endpoint"
    >
      Add this receiver as an endpoint
    </Button>
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
            <Chip tone={toneOf(health.value.state)}>{health.value.state}</Chip>
            <span class="muted">
              {toCount(health.value.consecutiveFailures, 'failure')} in a row ·{' '}
              {health.value.pending} waiting · {health.value.undelivered} not delivered
            </span>
          </div>
          {health.value.notice && <p class="note note--bad">{health.value.notice}</p>}
          <div class="row">
            <SelectField
              label="Which event"
              hideLabel
              options={EVENTS}
              bind={event}
              testId="event"
            />
            <Button
              look="primary"
              busy={busy.isBusy}
              onPress={() => run(() => lab.trigger(event.value))}
              testId="trigger"
            >
              Trigger an event
            </Button>
          </div>
          <div class="row" role="group" aria-label="Time">
            <Button
              busy={busy.isBusy}
              unavailable={health.value.nextAttemptAt === null}
              onPress={() => run(() => lab.jumpToRetry())}
              testId="jump"
            >
              Jump to the next try
            </Button>
            <Button
              busy={busy.isBusy}
              disabled={isSlow}
              onPress={() => run(() => lab.advance(SEVENTY_MINUTES_MS))}
              testId="hour"
            >
              Let 70 minutes pass
            </Button>
            {isSlow && (
              <span class="muted">An hour of tries that wait would take minutes of yours.</span>
            )}
          </div>
          <div class="row" role="group" aria-label="Endpoint">
            <Button busy={busy.isBusy} onPress={() => run(() => lab.test())} testId="test">
              Send a test
            </Button>
            <Button busy={busy.isBusy} onPress={() => run(() => lab.resume())} testId="resume">
              Test and resume
            </Button>
            <Button
              busy={busy.isBusy}
              onPress={() => run(() => lab.redeliver())}
              testId="redeliver"
            >
              Redeliver
            </Button>
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
