import { useSignal } from '@preact/signals';
import type { EndpointResource, EventKind, KeyPairResource, NewEndpointResource } from 'ofage/mock';
import type { JSX } from 'preact';
import { Copy, Field } from '../../shared/console/parts.tsx';
import { EVENT_KINDS } from '../../shared/event-kinds.ts';
import { toPairName } from '../key-view.ts';
import type { Desk } from './desk.ts';
import { Form, useSubmission } from './form.tsx';
import { useLive } from './use-live.ts';

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
  const pairs = useLive(provider, ['key'], tenant.id, async () => {
    const path = `/tenants/${tenant.id}/key-pairs`;
    const { items } = await provider.control<{ items: KeyPairResource[] }>('GET', path);
    return items;
  });
  const save = (): void => {
    const values = {
      url: url.value.trim(),
      events: events.value,
      pairId: pairId.value === '' ? null : pairId.value,
      ...(secret.value.trim() !== '' && { secret: secret.value.trim() }),
    };
    void submission.run(
      async () =>
        onDone(
          endpoint
            ? await provider.control('PATCH', `/webhook-endpoints/${endpoint.id}`, values)
            : await provider.control('POST', `/tenants/${tenant.id}/webhook-endpoints`, values),
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
      <Field
        label="URL"
        hint="https, and public. On your own machine the mock takes http://localhost, too."
        problem={problems.of('url')}
      >
        {(ids) => (
          <input
            {...ids}
            class="input"
            data-testid="endpoint-url"
            inputMode="url"
            autocomplete="off"
            autocapitalize="none"
            spellcheck={false}
            placeholder="https://shop.example/webhooks/ofage"
            value={url.value}
            onInput={(event) => (url.value = event.currentTarget.value)}
          />
        )}
      </Field>
      <EventChoice events={events} problem={problems.of('events')} />
      <Field
        label="Sessions of"
        hint="One key pair, where several sites share the account."
        problem={problems.of('pairId')}
      >
        {(ids) => (
          <select
            {...ids}
            class="input"
            data-testid="endpoint-pair"
            value={pairId.value}
            onChange={(event) => (pairId.value = event.currentTarget.value)}
          >
            <option value="">the whole account</option>
            {(pairs.data.value ?? []).map((pair) => (
              <option key={pair.pairId} value={pair.pairId}>
                pair {toPairName(pair.pairId)}
              </option>
            ))}
          </select>
        )}
      </Field>
      {endpoint && (
        <Field
          label="New signing secret"
          hint="Leave it empty to keep the present one. It signs from the next request on."
          problem={problems.of('secret')}
        >
          {(ids) => (
            <input
              {...ids}
              class="input"
              autocomplete="off"
              value={secret.value}
              onInput={(event) => (secret.value = event.currentTarget.value)}
            />
          )}
        </Field>
      )}
    </Form>
  );
}

export function EventChoice(props: {
  events: { value: readonly EventKind[] };
  problem: string | undefined;
}): JSX.Element {
  const { events, problem } = props;
  return (
    <fieldset class="events">
      <legend class="field__label">Events</legend>
      {EVENT_KINDS.map((kind) => (
        <label key={kind} class="check">
          <input
            type="checkbox"
            data-testid={`event-${kind}`}
            checked={events.value.includes(kind)}
            onChange={({ currentTarget: { checked } }) => {
              events.value = EVENT_KINDS.filter((one) =>
                one === kind ? checked : events.value.includes(one),
              );
            }}
          />
          <code>{kind}</code>
        </label>
      ))}
      {problem && (
        <p class="field__problem" role="alert">
          {problem}
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
        <button
          type="button"
          class="button button--primary"
          data-testid="secret-done"
          onClick={onDone}
        >
          I have it
        </button>
      </div>
    </div>
  );
}
