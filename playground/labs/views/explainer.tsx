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
import { EXAMPLES, type ExampleId, madeUpWebhook, toExample } from '../webhook/examples.ts';
import type { SignedWebhook } from '../webhook/examples.ts';
import { type Pasted, adviceFor, toExplainRequest } from '../webhook/explain.ts';

/** Takes a body, a header and a secret, and says why they do not fit. */
export function Explainer(props: {
  provider: Provider;
  pasted: Signal<Pasted>;
  receiver: Signal<Receiver | null>;
}): JSX.Element {
  const { provider, pasted, receiver } = props;
  const explanation = useSignal<Explanation | null>(null);
  const asking = useBusy();
  const change = (part: Partial<Pasted>): void => {
    pasted.value = { ...pasted.value, ...part };
    explanation.value = null;
  };
  const explain = async (): Promise<void> => {
    const asked = pasted.value;
    await attempt(async () => {
      const answer = await provider.client.explainWebhook(toExplainRequest(asked));
      // An answer to what stands here no more says nothing.
      if (pasted.value === asked) explanation.value = answer;
    });
  };
  const show = async (id: ExampleId): Promise<void> => {
    change(await toExample(id, rightOf(receiver.value) ?? (await madeUpWebhook())));
    await explain();
  };

  return (
    <section class="panel" aria-labelledby="explainer">
      <h2 id="explainer" tabIndex={-1}>
        Why does my signature not verify?
      </h2>
      <p class="muted">
        Paste what your server has. The service tries what goes wrong in practice, and compares with
        what it really sent.
      </p>
      <div class="row" role="group" aria-label="Examples">
        {EXAMPLES.map(({ id, title }) => (
          <Button key={id} small onPress={() => show(id)} testId={`example-${id}`}>
            {title}
          </Button>
        ))}
      </div>
      <form
        class="explainer"
        onSubmit={(event) => {
          event.preventDefault();
          void asking.run(explain);
        }}
      >
        <Field label="Body, as your code has it" hint="Every byte counts, line breaks included.">
          {(ids) => (
            <textarea
              class="input"
              {...ids}
              data-testid="explain-body"
              spellcheck={false}
              value={pasted.value.body}
              onInput={({ currentTarget }) => change({ body: currentTarget.value })}
            />
          )}
        </Field>
        <div class="explainer__side">
          <Field
            label="Signature header, or all headers"
            hint="The value, the line, or one header a line."
          >
            {(ids) => (
              <textarea
                class="input input--short"
                {...ids}
                data-testid="explain-header"
                spellcheck={false}
                value={pasted.value.header}
                onInput={({ currentTarget }) => change({ header: currentTarget.value })}
              />
            )}
          </Field>
          <TextField
            label="Signing secret"
            hint="It goes to the service on this machine alone."
            verbatim
            mono
            value={pasted.value.secret}
            onValue={(secret) => change({ secret })}
            testId="explain-secret"
          />
          <Button look="primary" busy={asking.isBusy} testId="explain">
            Explain
          </Button>
        </div>
      </form>
      <div role="status" aria-live="polite">
        {explanation.value && <Answer explanation={explanation.value} />}
      </div>
    </section>
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
              <strong>{message}.</strong> <span class="findings__advice">{adviceFor(code)}</span>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

/** The last webhook that really came, with the secret that signed it. */
function rightOf(receiver: Receiver | null): SignedWebhook | null {
  const secret = receiver?.settings.secret;
  const found = receiver?.requests.find(
    ({ signature, eventId }) => signature === 'valid' && eventId !== null,
  );
  const [, signature] = found?.headers.find(([name]) => name === 'x-ofage-signature') ?? [];
  if (!secret || !found || signature === undefined) return null;
  return { body: toBytes(found.bodyBase64).text, signature, secret };
}
