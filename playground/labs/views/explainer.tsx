import { type Signal, useSignal } from '@preact/signals';
import type { Explanation } from 'ofage/mock';
import type { JSX } from 'preact';
import { Button } from '../../shared/kit/button.tsx';
import { Field } from '../../shared/kit/field.tsx';
import { TextField } from '../../shared/kit/text-field.tsx';
import { attempt } from '../../shared/kit/toast.tsx';
import { useBusy } from '../../shared/kit/use-busy.ts';
import type { Provider } from '../../shared/provider.ts';
import type { Receiver } from '../shop-lab.ts';
import { toBytes } from '../webhook/behaviours.ts';
import {
  EXAMPLES,
  type ExampleId,
  type SignedWebhook,
  madeUpWebhook,
  toExample,
} from '../webhook/examples.ts';
import { ADVICE, type Pasted, toExplainRequest } from '../webhook/explain.ts';
import { signatureOf } from '../webhook/signature.ts';

/** Explains why the signature of a body does not verify. */
export function Explainer(props: {
  provider: Provider;
  pasted: Signal<Pasted>;
  receiver: Signal<Receiver | null>;
}): JSX.Element {
  const { provider, pasted, receiver } = props;
  const explanation = useSignal<Explanation | null>(null);
  const change = (part: Partial<Pasted>): void => {
    pasted.value = { ...pasted.value, ...part };
    explanation.value = null;
  };
  const explain = async (): Promise<void> => {
    const asked = pasted.value;
    await attempt(async () => {
      const answer = await provider.client.explainWebhook(toExplainRequest(asked));
      // The response is stale if the input has changed since.
      if (pasted.value === asked) explanation.value = answer;
    });
  };
  const show = async (id: ExampleId): Promise<void> => {
    change(await toExample(id, findValidWebhook(receiver.value) ?? (await madeUpWebhook())));
    await explain();
  };

  return (
    <section class="panel" aria-labelledby="explainer">
      <h2 id="explainer" tabIndex={-1}>
        Why does my signature not verify?
      </h2>
      <p class="muted">
        Paste what your server received. The service tests for the usual mistakes and compares the
        body with what it sent.
      </p>
      <div class="row" role="group" aria-labelledby="explainer-examples">
        <span id="explainer-examples" class="field__label">
          Examples
        </span>
        {EXAMPLES.map(({ id, title }) => (
          <Button key={id} small onPress={() => show(id)} testId={`example-${id}`}>
            {title}
          </Button>
        ))}
      </div>
      <PasteForm pasted={pasted.value} change={change} explain={explain} />
      <div role="status" aria-live="polite">
        {explanation.value && <Answer explanation={explanation.value} />}
      </div>
    </section>
  );
}

function PasteForm(props: {
  pasted: Pasted;
  change: (part: Partial<Pasted>) => void;
  explain: () => Promise<void>;
}): JSX.Element {
  const { pasted, change, explain } = props;
  const asking = useBusy();
  return (
    <form
      class="explainer"
      onSubmit={(event) => {
        event.preventDefault();
        void asking.run(explain);
      }}
    >
      <TextArea
        label="Body as your code has it"
        hint="Every byte counts, line breaks included."
        value={pasted.body}
        onValue={(body) => change({ body })}
        testId="explain-body"
      />
      <div class="explainer__side">
        <TextArea
          label="Signature header, or all headers"
          hint="The value, the whole line, or one header per line."
          isShort
          value={pasted.header}
          onValue={(header) => change({ header })}
          testId="explain-header"
        />
        <TextField
          label="Signing secret"
          hint="Sent only to the mock on this computer."
          verbatim
          mono
          value={pasted.secret}
          onValue={(secret) => change({ secret })}
          testId="explain-secret"
        />
        <Button variant="primary" busy={asking.isBusy} testId="explain">
          Explain
        </Button>
      </div>
    </form>
  );
}

function TextArea(props: {
  label: string;
  hint: string;
  isShort?: boolean;
  value: string;
  onValue: (value: string) => void;
  testId: string;
}): JSX.Element {
  const { label, hint, isShort, value, onValue, testId } = props;
  return (
    <Field label={label} hint={hint}>
      {(ids) => (
        <textarea
          class={isShort ? 'input input--short' : 'input'}
          {...ids}
          data-testid={testId}
          spellcheck={false}
          value={value}
          onInput={({ currentTarget }) => onValue(currentTarget.value)}
        />
      )}
    </Field>
  );
}

function Answer({ explanation }: { explanation: Explanation }): JSX.Element {
  const { isValid, signedBy, findings } = explanation;
  return (
    <div
      class={isValid ? 'note note--good' : 'note note--bad'}
      data-testid="explanation"
      data-valid={String(isValid)}
      data-codes={findings.map(({ code }) => code).join(' ')}
    >
      <strong>{isValid ? 'This verifies.' : 'This does not verify.'}</strong>{' '}
      {signedBy && `Signed with ${signedBy.label}.`}
      {findings.length > 0 && (
        <ul class="findings">
          {findings.map(({ code, message }) => (
            <li key={code}>
              <strong>{message}.</strong> <span class="findings__advice">{ADVICE[code]}</span>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

/**
 * Returns the last received webhook that has an eventId and a valid signature, with the secret that signed
 * it. Null if there is none.
 */
function findValidWebhook(receiver: Receiver | null): SignedWebhook | null {
  const secret = receiver?.settings.secret;
  const found = receiver?.requests.find(
    (request) => request.signature === 'valid' && request.eventId !== null,
  );
  const signature = found && signatureOf(found);
  if (!secret || !found || signature === undefined) return null;
  return { body: toBytes(found.bodyBase64).text, signature, secret };
}
