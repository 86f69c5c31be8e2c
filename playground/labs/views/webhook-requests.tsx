import type { DeliveryResource } from 'ofage-mock';
import type { JSX } from 'preact';
import { formatDate, formatTimeOfDay } from '../../../mock-server/words/times.ts';
import type { KeptWebhook } from '../../demo-backend/lab-plan.ts';
import { Json, Panel } from '../../shared/console/parts.tsx';
import { handOver } from '../../shared/explainer/explain.ts';
import { Button } from '../../shared/kit/button.tsx';
import { Chip } from '../../shared/kit/chip.tsx';
import { EmptyState } from '../../shared/kit/empty-state.tsx';
import { attempt } from '../../shared/kit/toast.tsx';
import { toShortId } from '../../shared/short-id.ts';
import { siteUrl } from '../../shared/site.ts';
import type { Receiver } from '../shop-lab.ts';
import { WORK_TEXTS, signatureOf, toBytes } from '../webhook/behaviours.ts';
import { foldAlike } from '../webhook/fold-alike.ts';
import { toRequestTimes } from '../webhook/request-times.ts';
import type { WebhookLab as Lab } from '../webhook/webhook-lab.ts';
import { DeliveryTable } from './webhook-deliveries.tsx';

/** Shows the requests that arrived, byte for byte, and the service's attempts to deliver them. */
export function RequestsPanel({ lab, receiver }: { lab: Lab; receiver: Receiver }): JSX.Element {
  const { requests, processed, count } = receiver;
  const deliveries = lab.deliveries.value;
  const times = toTimes(receiver, deliveries);
  const repeated = Object.values(processed).filter((runs) => runs > 1).length;
  return (
    <Panel
      title={count === 0 ? 'What arrived' : `What arrived (${count})`}
      testId="requests"
      actions={
        requests.length > 0 && (
          <Button small onPress={() => attempt(() => lab.forget())} testId="forget">
            Clear
          </Button>
        )
      }
    >
      {repeated > 0 && (
        <p class="note tone--bad" data-testid="twice">
          {repeated === 1 ? 'One event was' : `${repeated} events were`} processed more than once.
          An order would have been shipped twice.
        </p>
      )}
      {requests.length === 0 && (
        <EmptyState
          title={
            lab.endpoint.value
              ? 'No requests yet. Trigger an event to see one here.'
              : 'No requests yet. Add the endpoint first.'
          }
        />
      )}
      <ul class="kept">
        {foldAlike(requests).map((alike) => (
          // The oldest one is the key, because newer ones join the group while it is open.
          <AlikeRequests key={alike.at(-1)?.n} lab={lab} alike={alike} times={times} />
        ))}
      </ul>
      {deliveries.length > 0 && (
        <details open>
          <summary>The service’s attempts</summary>
          <div class="cases deliveries">
            <DeliveryTable deliveries={deliveries} />
          </div>
        </details>
      )}
    </Panel>
  );
}

interface Times {
  /** The times of the requests on the service's clock, by number. A time may be unknown. */
  readonly at: ReturnType<typeof toRequestTimes>;
  /** True to show the day, because the requests are of several days. */
  readonly hasDay: boolean;
}

function toTimes({ requests }: Receiver, deliveries: readonly DeliveryResource[]): Times {
  const at = toRequestTimes(requests, deliveries);
  const days = new Set([...at.values()].map((time) => formatDate(time)));
  return { at, hasDay: days.size > 1 };
}

/** Shows requests that differ only in their time: one as it is, several in a line that unfolds. */
function AlikeRequests(props: {
  lab: Lab;
  /** The newest first. */
  alike: readonly [KeptWebhook, ...KeptWebhook[]];
  times: Times;
}): JSX.Element {
  const { lab, alike, times } = props;
  const [newest, ...older] = alike;
  if (older.length === 0) return <Request lab={lab} request={newest} times={times} />;
  return (
    <li>
      <details class="kept__item" data-testid="alike">
        <summary>
          <RequestFacts request={newest} times={times} count={alike.length} />
        </summary>
        <ul class="kept__alike">
          {alike.map((request) => (
            <Request key={request.n} lab={lab} request={request} times={times} />
          ))}
        </ul>
      </details>
    </li>
  );
}

function Request(props: { lab: Lab; request: KeptWebhook; times: Times }): JSX.Element {
  const { lab, request, times } = props;
  const { work, event } = request;
  return (
    <li>
      <details class="kept__item" data-testid="request" data-work={work} data-event={event}>
        <summary>
          <RequestFacts request={request} times={times} />
        </summary>
        <RequestBytes lab={lab} request={request} />
      </details>
    </li>
  );
}

const SIGNATURE_TONES = { valid: 'good', invalid: 'bad', unchecked: 'neutral' } as const;

/** Shows in a line what arrived, and what the receiver made of it. */
function RequestFacts(props: {
  request: KeptWebhook;
  times: Times;
  /** The number of requests like this one. */
  count?: number;
}): JSX.Element {
  const { request, times, count = 1 } = props;
  const { n, event, sessionId, signature, work, answer } = request;
  const at = times.at.get(n);
  return (
    <>
      <span class="muted">{count > 1 ? `${count} ×` : n}</span>
      {at !== undefined && (
        <time dateTime={at} title="By the service's clock, UTC" data-testid="request-time">
          {times.hasDay && `${formatDate(at)} `}
          {formatTimeOfDay(at)}
        </time>
      )}
      <code>{event ?? 'unknown event'}</code>
      {sessionId !== null && (
        <code class="muted" title={`Session ${sessionId}`} data-testid="request-session">
          {toShortId(sessionId)}
        </code>
      )}
      <Chip tone={SIGNATURE_TONES[signature]}>signature {signature}</Chip>
      <Chip tone={work === 'processed_again' ? 'bad' : 'neutral'}>{WORK_TEXTS[work]}</Chip>
      <Chip tone={answer.startsWith('200') ? 'good' : 'bad'}>
        <span class="kept__word">answer </span>
        {answer}
      </Chip>
    </>
  );
}

/** Shows the headers and the body of a request, and the way to the check of its signature. */
function RequestBytes({ lab, request }: { lab: Lab; request: KeptWebhook }): JSX.Element {
  const { text, hex, length } = toBytes(request.bodyBase64);
  const headers = request.headers.map(([name, value]) => `${name}: ${value}`).join('\n');
  const secret = lab.receiver.value?.settings.secret ?? '';
  const endpointId = lab.endpoint.value?.id;
  return (
    <div class="unfolded">
      <h3>Headers</h3>
      <Json value={headers} label={`Headers of request ${request.n}`} />
      <h3>Body, {length} bytes as received</h3>
      <Json value={text} label={`Body of request ${request.n}`} />
      <details>
        <summary>In hex</summary>
        <Json value={hex} label={`Bytes of request ${request.n}`} />
      </details>
      {endpointId !== undefined && (
        <p>
          <a
            href={siteUrl(`console/#webhooks/${endpointId}`)}
            onClick={() => handOver({ body: text, signature: signatureOf(request) ?? '', secret })}
            data-testid="explain-it"
          >
            Explain its signature on the endpoint’s page
          </a>
        </p>
      )}
    </div>
  );
}
