import type { JSX } from 'preact';
import type { KeptWebhook } from '../../merchant-backend/lab-plan.ts';
import { Json, Panel } from '../../shared/console/parts.tsx';
import { Button } from '../../shared/kit/button.tsx';
import { Chip } from '../../shared/kit/chip.tsx';
import { EmptyState } from '../../shared/kit/empty-state.tsx';
import { attempt } from '../../shared/kit/toast.tsx';
import type { Receiver } from '../shop-lab.ts';
import { WORK_TEXTS, toBytes } from '../webhook/behaviours.ts';
import type { Pasted } from '../webhook/explain.ts';
import { SIGNATURE_HEADER, signatureOf } from '../webhook/signature.ts';
import type { WebhookLab } from '../webhook/webhook-lab.ts';

/** Shows the requests that the receiver received, byte for byte. */
export function Requests(props: {
  lab: WebhookLab;
  receiver: Receiver;
  pasted: (value: Pasted) => void;
}): JSX.Element {
  const { lab, receiver, pasted } = props;
  const { requests, processed, settings } = receiver;
  const twice = Object.values(processed).filter((times) => times > 1).length;
  return (
    <Panel
      title={`What the receiver got (${receiver.count})`}
      testId="requests"
      actions={
        <Button
          small
          unavailable={requests.length === 0}
          onPress={() => attempt(() => lab.forget())}
          testId="forget"
        >
          Forget them
        </Button>
      }
    >
      {twice > 0 && (
        <p class="note note--bad" data-testid="twice">
          {twice === 1 ? 'One event was' : `${twice} events were`} processed more than once: had it
          been an order, it would have been shipped twice.
        </p>
      )}
      {requests.length === 0 && <EmptyState title="No request yet. Trigger an event." />}
      <ul class="kept">
        {requests.map((request) => (
          <Request key={request.n} request={request} secret={settings.secret} pasted={pasted} />
        ))}
      </ul>
    </Panel>
  );
}

function Request(props: {
  request: KeptWebhook;
  secret: string | null;
  pasted: (value: Pasted) => void;
}): JSX.Element {
  const { request, secret, pasted } = props;
  const { n, event, signature, work, answer } = request;
  return (
    <li>
      <details class="kept__item" data-testid="request" data-work={work} data-event={event}>
        <summary>
          <span class="kept__n">{n}</span>
          <code>{event ?? 'no JSON'}</code>
          <Chip tone={signature === 'invalid' ? 'bad' : signature === 'valid' ? 'good' : 'neutral'}>
            signature {signature}
          </Chip>
          <Chip tone={work === 'processed_again' ? 'bad' : 'neutral'}>{WORK_TEXTS[work]}</Chip>
          <span class="muted">answered: {answer}</span>
        </summary>
        <Bytes request={request} secret={secret} pasted={pasted} />
      </details>
    </li>
  );
}

function Bytes({
  request,
  secret,
  pasted,
}: {
  request: KeptWebhook;
  secret: string | null;
  pasted: (value: Pasted) => void;
}): JSX.Element {
  const { text, hex, length } = toBytes(request.bodyBase64);
  const headers = request.headers.map(([name, value]) => `${name}: ${value}`).join('\n');
  const explain = (): void => {
    const signature = signatureOf(request);
    const header = signature === undefined ? '' : `${SIGNATURE_HEADER}: ${signature}`;
    pasted({ body: text, header, secret: secret ?? '' });
    document.getElementById('explainer')?.focus();
  };
  return (
    <div class="kept__detail">
      <h3>Headers</h3>
      <Json value={headers} label={`Headers of request ${request.n}`} />
      <h3>Body, {length} bytes as they came</h3>
      <Json value={text} label={`Body of request ${request.n}`} />
      <details>
        <summary>In hex</summary>
        <Json value={hex} label={`Bytes of request ${request.n}`} />
      </details>
      <div>
        <Button small onPress={explain} testId="explain-it">
          Explain its signature
        </Button>
      </div>
    </div>
  );
}
