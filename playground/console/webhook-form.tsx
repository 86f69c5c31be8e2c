import { useSignal } from '@preact/signals';
import type { EndpointResource, LegacyWebhookResource, NewEndpointResource } from 'ofage-mock';
import { EVENT_KINDS } from 'ofage-mock/client';
import type { JSX } from 'preact';
import { Copy } from '../shared/console/parts.tsx';
import { Button } from '../shared/kit/button.tsx';
import { Dialog } from '../shared/kit/dialog.tsx';
import { SelectField } from '../shared/kit/select-field.tsx';
import { TextField } from '../shared/kit/text-field.tsx';
import { useQuery } from '../shared/use-query.ts';
import type { Context } from './context.ts';
import { Form, readText } from './form.tsx';
import { toPairName } from './key-view.ts';
import { EventChoice, readEvents } from './parts.tsx';
import { pairs as pairsOf } from './queries.ts';

/** An endpoint, or the single legacy webhook of an older account. */
export type Webhook = EndpointResource | LegacyWebhookResource;
type WebhookNoun = 'endpoint' | 'legacy webhook';

/** The button for a new webhook, with its form and then its signing secret, which is shown only once. */
export function NewWebhook(props: {
  context: Context;
  noun: WebhookNoun;
  label: string;
  isPrimary?: boolean;
  /** False hides the button, but not the dialog that it has opened. */
  isOffered?: boolean;
  /** Called with the webhook once its secret was shown. */
  onDone?: (saved: Webhook) => void;
  testId: string;
}): JSX.Element {
  const { context, noun, label, isPrimary, isOffered = true, onDone, testId } = props;
  const isOpen = useSignal(false);
  const added = useSignal<(Webhook & { readonly secret?: string | null }) | null>(null);
  return (
    <>
      {isOffered && (
        <Button
          variant={isPrimary ? 'primary' : undefined}
          onPress={() => {
            added.value = null;
            isOpen.value = true;
          }}
          testId={testId}
        >
          {label}
        </Button>
      )}
      <Dialog
        title={added.value ? `The ${noun} was added` : label}
        isOpen={isOpen}
        dismiss={added.value ? null : 'Close'}
      >
        {added.value ? (
          <SecretOnce
            secret={added.value.secret ?? null}
            onDone={() => {
              isOpen.value = false;
              if (added.value) onDone?.(added.value);
            }}
          />
        ) : (
          <WebhookForm
            context={context}
            noun={noun}
            saved={null}
            onDone={(saved) => (added.value = saved)}
          />
        )}
      </Dialog>
    </>
  );
}

/** The settings of a webhook. Key pair and secret are settings of endpoints only. */
export function WebhookForm(props: {
  context: Context;
  noun: WebhookNoun;
  /** The webhook to change, or null for a new one. */
  saved: Webhook | null;
  onDone: (saved: Webhook | NewEndpointResource) => void;
}): JSX.Element {
  const { context, noun, saved, onDone } = props;
  const { provider, tenant } = context;
  const { client } = provider;
  const endpoint = saved && 'id' in saved ? saved : null;
  const isEndpoint = noun === 'endpoint';
  const save = async (form: FormData): Promise<void> => {
    const secret = readText(form, 'secret');
    const values = { url: readText(form, 'url'), events: readEvents(form) };
    const all = {
      ...values,
      pairId: readText(form, 'pairId') || null,
      ...(secret !== '' && { secret }),
    };
    if (!isEndpoint) onDone(await client.putLegacyWebhook(tenant.id, values));
    else if (endpoint) onDone(await client.updateEndpoint(endpoint.id, all));
    else onDone(await client.createEndpoint(tenant.id, all));
  };
  return (
    <Form
      submit={`${saved || !isEndpoint ? 'Save' : 'Add'} ${noun}`}
      save={save}
      done="Webhook saved"
      isPrimary
      testId="endpoint-form"
    >
      <TextField
        name="url"
        label="URL"
        hint="A public https address."
        inputMode="url"
        verbatim
        placeholder="https://shop.example/webhooks/ofage"
        value={saved?.url ?? ''}
        testId="endpoint-url"
      />
      <EventChoice events={saved?.events ?? EVENT_KINDS} />
      {isEndpoint && <PairField context={context} value={endpoint?.pairId ?? ''} />}
      {endpoint && (
        <TextField
          name="secret"
          label="New signing secret"
          hint="Leave empty to keep the current secret. A new secret is used from the next request on."
          verbatim
          value=""
        />
      )}
    </Form>
  );
}

function PairField({ context, value }: { context: Context; value: string }): JSX.Element {
  const { client, live } = context.provider;
  const pairs = useQuery(live, pairsOf(client, context.tenant.id)).data ?? [];
  const known = pairs.map(({ pairId }) => pairId);
  // The form keeps the saved pair, also if it is sent before the pairs are read, or if they cannot be read.
  const pairIds = value === '' || known.includes(value) ? known : [...known, value];
  return (
    <SelectField
      name="pairId"
      label="Sessions of"
      hint="Choose one key pair if several sites share the account."
      options={[
        { value: '', text: 'the whole account' },
        ...pairIds.map((pairId) => ({ value: pairId, text: `pair ${toPairName(pairId)}` })),
      ]}
      value={value}
      testId="endpoint-pair"
    />
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
        {secret !== null && (
          <Copy text={secret} what="signing secret">
            Copy signing secret
          </Copy>
        )}
        <Button variant="primary" onPress={onDone} testId="secret-done">
          Done
        </Button>
      </div>
    </div>
  );
}
