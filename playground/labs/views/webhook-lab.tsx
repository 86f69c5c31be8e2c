import type { JSX } from 'preact';
import { useEffect, useMemo } from 'preact/hooks';
import { BEHAVIOURS } from '../../demo-backend/lab-plan.ts';
import { Panel } from '../../shared/console/parts.tsx';
import { CheckField } from '../../shared/kit/check-field.tsx';
import { Field } from '../../shared/kit/field.tsx';
import { SelectField } from '../../shared/kit/select-field.tsx';
import { attempt } from '../../shared/kit/toast.tsx';
import type { Provider } from '../../shared/provider.ts';
import type { Receiver, ShopLab } from '../shop-lab.ts';
import { BEHAVIOUR_TEXTS } from '../webhook/behaviours.ts';
import { type WebhookLab as Lab, createWebhookLab } from '../webhook/webhook-lab.ts';
import { EndpointPanel } from './webhook-endpoint.tsx';
import { RequestsPanel } from './webhook-requests.tsx';

/** Shows the receiver's behaviour, its endpoint at the service, and the requests that have arrived. */
export function WebhookLab(props: { provider: Provider; shop: ShopLab }): JSX.Element {
  const { provider, shop } = props;
  const lab = useMemo(() => createWebhookLab(provider, shop), [provider, shop]);
  useEffect(() => lab.close, [lab]);
  const receiver = lab.receiver.value;
  const loadError = lab.loadError.value;
  if (!receiver || !lab.isReady.value) {
    return (
      <p class={loadError ? 'note tone--bad' : 'muted'} role="status">
        {loadError || 'Loading the receiver…'}
      </p>
    );
  }
  return (
    <div class="workbench" data-testid="workbench">
      <div class="workbench__side">
        <ReceiverPanel lab={lab} receiver={receiver} />
        <EndpointPanel lab={lab} />
      </div>
      <RequestsPanel lab={lab} receiver={receiver} />
    </div>
  );
}

function ReceiverPanel({ lab, receiver }: { lab: Lab; receiver: Receiver }): JSX.Element {
  const { behaviour, seconds, remembersEvents } = receiver.settings;
  return (
    <Panel title="Receiver">
      <SelectField
        label="Behaviour"
        hint={BEHAVIOUR_TEXTS[behaviour].what}
        options={BEHAVIOURS.map((one) => ({ value: one, text: BEHAVIOUR_TEXTS[one].title }))}
        value={behaviour}
        onValue={(chosen) => void attempt(() => lab.set({ behaviour: chosen }))}
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
        onValue={(remembers) => void attempt(() => lab.set({ remembersEvents: remembers }))}
        testId="remembers"
      />
    </Panel>
  );
}
