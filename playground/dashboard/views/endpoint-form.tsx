import { useSignal } from '@preact/signals';
import type { EndpointResource, EventKind, NewEndpointResource } from 'ofage/mock';
import type { JSX } from 'preact';
import { Copy } from '../../shared/console/parts.tsx';
import { EVENT_KINDS } from 'ofage/mock/client';
import { Button } from '../../shared/kit/button.tsx';
import { CheckField } from '../../shared/kit/check-field.tsx';
import { SelectField } from '../../shared/kit/select-field.tsx';
import { TextField } from '../../shared/kit/text-field.tsx';
import { toPairName } from '../key-view.ts';
import type { Desk } from './desk.ts';
import { Form, useSubmission } from './form.tsx';
import { usePairs } from './use-pairs.ts';

const FIELDS = ['url', 'events', 'pairId', 'secret'];

/** Adds an endpoint, or changes one. */
export function EndpointForm(props: {
  desk: Desk;
  /** The one to change; null for a new one. */
  endpoint: EndpointResource | null;
  onDone: (saved: EndpointResource | NewEndpointResource) => void;
}): JSX.Element {
  const { desk, endpoint, onDone } = props;
  const { provider, tenant } = desk;
  const url = useSignal(endpoint?.url ?? '');
  const events = useSignal<readonly EventKind[]>(endpoint?.events ?? EVENT_KINDS);
  const pairId = useSignal(endpoint?.pairId ?? '');
  const secret = useSignal('');
  const submission = useSubmission(FIELDS);
  const problems = submission.problems.value;
  const pairs = usePairs(desk);
  const save = (): void => {
    const values = {
      url: url.value.trim(),
      events: [...events.value],
      pairId: pairId.value === '' ? null : pairId.value,
      ...(secret.value.trim() !== '' && { secret: secret.value.trim() }),
    };
    void submission.run(
      async () =>
        onDone(
          endpoint
            ? await provider.client.updateEndpoint(endpoint.id, values)
            : await provider.client.createEndpoint(tenant.id, values),
        ),
      endpoint ? 'Endpoint saved' : 'Endpoint added',
    );
  };
  return (
    <Form
      submission={submission}
      submit={endpoint ? 'Save endpoint' : 'Add Endpoint'}
      onSubmit={save}
      testId="endpoint-form"
    >
      <TextField
        label="URL"
        hint="https, and public. On your own machine the mock takes http://localhost, too."
        error={problems.of('url')}
        inputMode="url"
        verbatim
        placeholder="https://shop.example/webhooks/ofage"
        bind={url}
        testId="endpoint-url"
      />
      <EventChoice events={events} error={problems.of('events')} />
      <SelectField
        label="Sessions of"
        hint="One key pair, where several sites share the account."
        error={problems.of('pairId')}
        options={[
          { value: '', text: 'the whole account' },
          ...(pairs.data.value ?? []).map(({ pairId }) => ({
            value: pairId,
            text: `pair ${toPairName(pairId)}`,
          })),
        ]}
        bind={pairId}
        testId="endpoint-pair"
      />
      {endpoint && (
        <TextField
          label="New signing secret"
          hint="Leave it empty to keep the present one. It signs from the next request on."
          error={problems.of('secret')}
          verbatim
          bind={secret}
        />
      )}
    </Form>
  );
}

export function EventChoice(props: {
  events: { value: readonly EventKind[] };
  error: string | undefined;
}): JSX.Element {
  const { events, error } = props;
  return (
    <fieldset class="events">
      <legend class="field__label">Events</legend>
      {EVENT_KINDS.map((kind) => (
        <CheckField
          key={kind}
          label={<code>{kind}</code>}
          value={events.value.includes(kind)}
          onValue={(isChosen) => {
            events.value = EVENT_KINDS.filter((one) =>
              one === kind ? isChosen : events.value.includes(one),
            );
          }}
          testId={`event-${kind}`}
        />
      ))}
      {error && (
        <p class="field__error" role="alert">
          {error}
        </p>
      )}
    </fieldset>
  );
}

/** The one moment in which a secret can be read. */
export function SecretOnce(props: { secret: string | null; onDone: () => void }): JSX.Element {
  const { secret, onDone } = props;
  return (
    <div class="form">
      {secret === null ? (
        <p>Its requests are not signed.</p>
      ) : (
        <>
          <p>This secret signs every request. Give it to your server now: it is not shown again.</p>
          <code class="key__value" data-testid="new-secret">
            {secret}
          </code>
          <Copy text={secret} what="signing secret">
            Copy secret
          </Copy>
        </>
      )}
      <div class="row">
        <Button look="primary" onPress={onDone} testId="secret-done">
          I have it
        </Button>
      </div>
    </div>
  );
}
