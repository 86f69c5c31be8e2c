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
import { toRequestTimes } from '../webhook/request-times.ts';
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
  const times = toRequestTimes(requests, lab.deliveries.value);
  const twice = Object.values(processed).filter((times) => times > 1).length;
  return (
    <Panel
      title={`Received requests (${receiver.count})`}
      testId="requests"
      actions={
        <Button
          small
          unavailable={requests.length === 0}
          onPress={() => attempt(() => lab.forget())}
          testId="forget"
        >
          Clear
        </Button>
      }
    >
      {twice > 0 && (
        <p class="note note--bad" data-testid="twice">
          {twice === 1 ? 'One event was' : `${twice} events were`} processed more than once. An
          order would have been shipped twice.
        </p>
      )}
      {requests.length === 0 && (
        <EmptyState title="No requests yet. Trigger an event to see one here." />
      )}
      <ul class="kept">
        {requests.map((request) => (
          <Request
            key={request.n}
            request={request}
            at={times.get(request.n) ?? null}
            secret={settings.secret}
            pasted={pasted}
          />
        ))}
      </ul>
    </Panel>
  );
}

function Request(props: {
  request: KeptWebhook;
  /** The time on the service's clock, or null if it is not known. */
  at: string | null;
  secret: string | null;
  pasted: (value: Pasted) => void;
}): JSX.Element {
  const { request, at, secret, pasted } = props;
  const { n, event, sessionId, signature, work, answer } = request;
  return (
    <li>
      <details class="kept__item" data-testid="request" data-work={work} data-event={event}>
        <summary>
          <span class="kept__n">{n}</span>
          {at !== null && (
            <time dateTime={at} title="By the service's clock, UTC" data-testid="request-time">
              {at.slice(11, 19)}
            </time>
          )}
          <code>{event ?? 'unknown event'}</code>
          {sessionId !== null && (
            <code class="muted" title={`Session ${sessionId}`} data-testid="request-session">
              {sessionId.slice(0, 8)}
            </code>
          )}
          <Chip tone={signature === 'invalid' ? 'bad' : signature === 'valid' ? 'good' : 'neutral'}>
            signature {signature}
          </Chip>
          <Chip tone={work === 'processed_again' ? 'bad' : 'neutral'}>{WORK_TEXTS[work]}</Chip>
          <span class="muted">answer: {answer}</span>
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
      <h3>Body, {length} bytes as received</h3>
      <Json value={text} label={`Body of request ${request.n}`} />
      <details>
        <summary>In hex</summary>
        <Json value={hex} label={`Bytes of request ${request.n}`} />
      </details>
      <div>
        <Button small onPress={explain} testId="explain-it">
          Explain signature
        </Button>
      </div>
    </div>
  );
}
