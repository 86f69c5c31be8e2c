import type { EndpointResource, LegacyWebhookResource, NewEndpointResource } from 'ofage/mock';
import { EVENT_KINDS } from 'ofage/mock/client';
import type { JSX } from 'preact';
import { Copy } from '../shared/console/parts.tsx';
import { Button } from '../shared/kit/button.tsx';
import { SelectField } from '../shared/kit/select-field.tsx';
import { TextField } from '../shared/kit/text-field.tsx';
import { useQuery } from '../shared/use-query.ts';
import type { Context } from './context.ts';
import { Form, readText } from './form.tsx';
import { toPairName } from './key-view.ts';
import { EventChoice, readEvents } from './parts.tsx';
import { pairs as pairsOf } from './queries.ts';

export function EndpointForm(props: {
  context: Context;
  /** The endpoint to change, or null to add one. */
  endpoint: EndpointResource | null;
  onDone: (saved: EndpointResource | NewEndpointResource) => void;
}): JSX.Element {
  const { context, endpoint, onDone } = props;
  const { client, live } = context.provider;
  const pairs = useQuery(live, pairsOf(client, context.tenant.id)).data ?? [];
  const save = async (form: FormData): Promise<void> => {
    const secret = readText(form, 'secret');
    const values = {
      url: readText(form, 'url'),
      events: readEvents(form),
      pairId: readText(form, 'pairId') || null,
      ...(secret !== '' && { secret }),
    };
    const saved = endpoint
      ? client.updateEndpoint(endpoint.id, values)
      : client.createEndpoint(context.tenant.id, values);
    onDone(await saved);
  };
  return (
    <Form
      submit={endpoint ? 'Save endpoint' : 'Add endpoint'}
      save={save}
      done={endpoint ? 'Endpoint saved' : 'Endpoint added'}
      fields={['url', 'events', 'pairId', 'secret']}
      isPrimary
      testId="endpoint-form"
    >
      {(problems) => (
        <>
          <TextField
            name="url"
            label="URL"
            hint="A public https address. For http://localhost, start the mock with --allow-loopback-webhooks."
            inputMode="url"
            verbatim
            placeholder="https://shop.example/webhooks/ofage"
            value={endpoint?.url ?? ''}
            error={problems.of('url')}
            testId="endpoint-url"
          />
          <EventChoice events={endpoint?.events ?? EVENT_KINDS} problems={problems} />
          <SelectField
            name="pairId"
            label="Sessions of"
            hint="Choose one key pair if several sites share the account."
            options={[
              { value: '', text: 'the whole account' },
              ...pairs.map(({ pairId }) => ({ value: pairId, text: `pair ${toPairName(pairId)}` })),
            ]}
            value={endpoint?.pairId ?? ''}
            error={problems.of('pairId')}
            testId="endpoint-pair"
          />
          {endpoint && (
            <TextField
              name="secret"
              label="New signing secret"
              hint="Leave empty to keep the current secret. A new secret is used from the next request on."
              verbatim
              value=""
              error={problems.of('secret')}
            />
          )}
        </>
      )}
    </Form>
  );
}

export function LegacyForm(props: {
  context: Context;
  /** Null to set up the webhook. */
  legacy: LegacyWebhookResource | null;
  /** Called after a save, with the signing secret if the webhook is new. */
  onDone: (secret: string | null) => void;
}): JSX.Element {
  const { context, legacy, onDone } = props;
  const save = async (form: FormData): Promise<void> => {
    const saved = await context.provider.client.putLegacyWebhook(context.tenant.id, {
      url: readText(form, 'url'),
      events: readEvents(form),
    });
    onDone(legacy ? null : (saved.secret ?? null));
  };
  return (
    <Form
      submit="Save legacy webhook"
      save={save}
      done="Legacy webhook saved"
      fields={['url', 'events']}
      isPrimary
    >
      {(problems) => (
        <>
          <TextField
            name="url"
            label="URL"
            inputMode="url"
            verbatim
            value={legacy?.url ?? ''}
            error={problems.of('url')}
            testId="legacy-url"
          />
          <EventChoice events={legacy?.events ?? EVENT_KINDS} problems={problems} />
        </>
      )}
    </Form>
  );
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
