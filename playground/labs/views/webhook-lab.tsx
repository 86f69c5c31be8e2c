import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect, useMemo } from 'preact/hooks';
import { BEHAVIOURS } from '../../merchant-backend/lab-plan.ts';
import { Panel } from '../../shared/console/parts.tsx';
import { CheckField } from '../../shared/kit/check-field.tsx';
import { Field } from '../../shared/kit/field.tsx';
import { SelectField } from '../../shared/kit/select-field.tsx';
import { attempt } from '../../shared/kit/toast.tsx';
import type { Provider } from '../../shared/provider.ts';
import type { Receiver, ShopLab } from '../shop-lab.ts';
import { BEHAVIOUR_TEXTS } from '../webhook/behaviours.ts';
import type { Pasted } from '../webhook/explain.ts';
import { toWalk } from '../webhook/pause-walk.ts';
import { type WebhookLab as Lab, createWebhookLab } from '../webhook/webhook-lab.ts';
import { EndpointPanel } from './endpoint-panel.tsx';
import { Explainer } from './explainer.tsx';
import { Requests } from './requests.tsx';

export function WebhookLab(props: { provider: Provider; shop: ShopLab }): JSX.Element {
  const { provider, shop } = props;
  const lab = useMemo(() => createWebhookLab(provider, shop), [provider, shop]);
  const loadError = lab.loadError.value;
  const pasted = useSignal<Pasted>({ body: '', header: '', secret: '' });
  useEffect(() => lab.close, [lab]);

  const receiver = lab.receiver.value;
  return (
    <>
      {receiver && lab.isReady.value ? (
        <Workbench lab={lab} receiver={receiver} pasted={(value) => (pasted.value = value)} />
      ) : (
        <p class={loadError ? 'note note--bad' : 'muted'} role="status">
          {loadError || 'Loading the receiver…'}
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
        <EndpointPanel lab={lab} />
        <Requests lab={lab} receiver={receiver} pasted={pasted} />
      </div>
    </div>
  );
}

function ReceiverPanel({ lab, receiver }: { lab: Lab; receiver: Receiver }): JSX.Element {
  const { behaviour, seconds, remembersEvents } = receiver.settings;
  return (
    <Panel title="Receiver">
      <p class="muted">
        A route of the demo shop’s server: <code class="wrap">{receiver.url}</code>
      </p>
      <SelectField
        label="Behaviour"
        hint={BEHAVIOUR_TEXTS[behaviour].what}
        options={BEHAVIOURS.map((one) => ({ value: one, text: BEHAVIOUR_TEXTS[one].title }))}
        value={behaviour}
        onValue={(behaviour) => void attempt(() => lab.set({ behaviour }))}
        testId="behaviour"
      />
      {(behaviour === 'slow' || behaviour === 'too_many') && (
        <Field
          label={behaviour === 'slow' ? 'Seconds until the answer' : 'Retry-After, in seconds'}
        >
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
        label="Stores the eventIds that it has processed"
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
    <Panel title="Try this: pause and resume">
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
