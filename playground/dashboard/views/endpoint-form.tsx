import type { EndpointResource, EventKind, NewEndpointResource } from 'ofage/mock';
import { EVENT_KINDS } from 'ofage/mock/client';
import type { JSX } from 'preact';
import { Copy } from '../../shared/console/parts.tsx';
import { Button } from '../../shared/kit/button.tsx';
import { SelectField } from '../../shared/kit/select-field.tsx';
import { TextField } from '../../shared/kit/text-field.tsx';
import { toPairName } from '../key-view.ts';
import { EventChoice } from './choices.tsx';
import type { AppContext } from './app-context.ts';
import { Form } from './form.tsx';
import { useForm } from './use-form.ts';
import { usePairs } from './use-pairs.ts';

interface EndpointDraft {
  readonly url: string;
  readonly events: readonly EventKind[];
  /**
   * The id of a key pair, which limits the endpoint to the sessions of that pair. Empty for the whole
   * account.
   */
  readonly pairId: string;
  /** The new signing secret, or an empty string to keep the current one. */
  readonly secret: string;
}

export function EndpointForm(props: {
  context: AppContext;
  /** The endpoint to change, or null to add one. */
  endpoint: EndpointResource | null;
  onDone: (saved: EndpointResource | NewEndpointResource) => void;
}): JSX.Element {
  const { context, endpoint, onDone } = props;
  const { draft, submission, field } = useForm(toDraft(endpoint));
  const pairs = usePairs(context).data.value ?? [];
  const save = (): void =>
    void submission.run(
      async () => onDone(await saveEndpoint(context, endpoint, draft.value)),
      endpoint ? 'Endpoint saved' : 'Endpoint added',
    );
  return (
    <Form
      submission={submission}
      submit={endpoint ? 'Save endpoint' : 'Add endpoint'}
      onSubmit={save}
      isPrimary
      testId="endpoint-form"
    >
      <TextField
        label="URL"
        hint="A public https address. For http://localhost, start the mock with --allow-loopback-webhooks."
        inputMode="url"
        verbatim
        placeholder="https://shop.example/webhooks/ofage"
        bind={field('url')}
        testId="endpoint-url"
      />
      <EventChoice bind={field('events')} />
      <SelectField
        label="Sessions of"
        hint="Choose one key pair if several sites share the account."
        options={[
          { value: '', text: 'the whole account' },
          ...pairs.map(({ pairId }) => ({ value: pairId, text: `pair ${toPairName(pairId)}` })),
        ]}
        bind={field('pairId')}
        testId="endpoint-pair"
      />
      {endpoint && (
        <TextField
          label="New signing secret"
          hint="Leave empty to keep the current secret. A new secret is used from the next request on."
          verbatim
          bind={field('secret')}
        />
      )}
    </Form>
  );
}

function saveEndpoint(
  { provider: { client }, tenant }: AppContext,
  endpoint: EndpointResource | null,
  { url, events, pairId, secret }: EndpointDraft,
): Promise<EndpointResource | NewEndpointResource> {
  const values = {
    url: url.trim(),
    events: [...events],
    pairId: pairId || null,
    ...(secret.trim() !== '' && { secret: secret.trim() }),
  };
  return endpoint
    ? client.updateEndpoint(endpoint.id, values)
    : client.createEndpoint(tenant.id, values);
}

function toDraft(endpoint: EndpointResource | null): EndpointDraft {
  const { url = '', events = EVENT_KINDS, pairId = null } = endpoint ?? {};
  return { url, events, pairId: pairId ?? '', secret: '' };
}

/** Shows a new signing secret. It cannot be read again later. */
export function SecretOnce(props: { secret: string | null; onDone: () => void }): JSX.Element {
  const { secret, onDone } = props;
  return (
    <div class="form">
      {secret === null ? (
        <p>Requests are not signed.</p>
      ) : (
        <>
          <p>This secret signs every request. Copy it to your server now. It is not shown again.</p>
          <code class="key__value" data-testid="new-secret">
            {secret}
          </code>
        </>
      )}
      <div class="row">
        <Button variant="primary" onPress={onDone} testId="secret-done">
          Done
        </Button>
        {secret !== null && (
          <Copy text={secret} what="signing secret">
            Copy secret
          </Copy>
        )}
      </div>
    </div>
  );
}
