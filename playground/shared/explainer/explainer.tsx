import { useSignal } from '@preact/signals';
import type { Explanation } from 'ofage-mock';
import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Button } from '../kit/button.tsx';
import { Field } from '../kit/field.tsx';
import { TextField } from '../kit/text-field.tsx';
import { attempt } from '../kit/toast.tsx';
import { useBusy } from '../kit/use-busy.ts';
import type { Provider } from '../provider.ts';
import {
  ADVICE,
  EXAMPLES,
  type ExampleId,
  type Pasted,
  madeUpWebhook,
  takeHandedOver,
  toExample,
  toExplainRequest,
  toPasted,
} from './explain.ts';
import './explainer.css';

/**
 * Explains why the signature of a body does not verify. Starts with the webhook that another page has handed
 * over, if there is one. The page's heading `#explainer` can be the target of a link.
 */
export function Explainer({ provider }: { provider: Pick<Provider, 'client'> }): JSX.Element {
  const [received] = useState(takeHandedOver);
  const pasted = useSignal<Pasted>(
    received ? toPasted(received) : { body: '', header: '', secret: '' },
  );
  const explanation = useSignal<Explanation | null>(null);
  const asking = useBusy();
  const change = (part: Partial<Pasted>): void => {
    pasted.value = { ...pasted.value, ...part };
    explanation.value = null;
  };
  const ask = (): Promise<boolean> => {
    const asked = pasted.value;
    return attempt(async () => {
      const answer = await provider.client.explainWebhook(toExplainRequest(asked));
      // The response is stale if the input has changed since.
      if (pasted.value === asked) explanation.value = answer;
    });
  };
  const explain = (): Promise<void> => asking.run(ask);
  // An example that changed the input during an earlier request would leave both unexplained.
  const show = (id: ExampleId): Promise<void> =>
    asking.run(async () => {
      change(await toExample(id, received ?? (await madeUpWebhook())));
      await ask();
    });
  useEffect(() => {
    if (!received) return;
    document.getElementById('explainer')?.focus();
    void explain();
  }, []);

  return (
    <details class="panel more" open={received !== null} data-testid="explainer">
      <summary>
        <h2 id="explainer" tabIndex={-1}>
          Why does my signature not verify?
        </h2>
      </summary>
      <p class="muted">
        Paste what your server received. The service tests for the usual mistakes and compares the
        body with what it sent.
      </p>
      <div class="row" role="group" aria-labelledby="explainer-examples">
        <span id="explainer-examples" class="field__label">
          Examples
        </span>
        {EXAMPLES.map(({ id, title }) => (
          <Button
            key={id}
            small
            busy={asking.isBusy}
            onPress={() => show(id)}
            testId={`example-${id}`}
          >
            {title}
          </Button>
        ))}
      </div>
      <form
        class="explainer"
        onSubmit={(event) => {
          event.preventDefault();
          void explain();
        }}
      >
        <TextArea
          label="Body as your code has it"
          hint="Every byte counts, line breaks included."
          value={pasted.value.body}
          onValue={(body) => change({ body })}
          testId="explain-body"
        />
        <div class="explainer__side">
          <TextArea
            label="Signature header, or all headers"
            hint="The value, the whole line, or one header per line."
            value={pasted.value.header}
            onValue={(header) => change({ header })}
            testId="explain-header"
          />
          <TextField
            label="Signing secret"
            hint="Sent only to the mock on this computer."
            verbatim
            mono
            value={pasted.value.secret}
            onValue={(secret) => change({ secret })}
            testId="explain-secret"
          />
          <Button busy={asking.isBusy} testId="explain">
            Explain
          </Button>
        </div>
      </form>
      <div role="status" aria-live="polite">
        {explanation.value && <Answer explanation={explanation.value} />}
      </div>
    </details>
  );
}

function TextArea(props: {
  label: string;
  hint: string;
  value: string;
  onValue: (value: string) => void;
  testId: string;
}): JSX.Element {
  const { label, hint, value, onValue, testId } = props;
  return (
    <Field label={label} hint={hint}>
      {(ids) => (
        <textarea
          class="input"
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
      class={isValid ? 'note tone--good' : 'note tone--bad'}
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
