import { useSignal } from '@preact/signals';
import type { AttemptResource, DeliveryResource, EndpointResource } from 'ofage-mock';
import type { JSX } from 'preact';
import { useEffect, useMemo } from 'preact/hooks';
import { SCENARIOS } from 'ofage-mock/client';
import { DELIVERY_WORDS, NONE } from '../../../mock-server/words/states.ts';
import { formatDate, formatTimeOfDay } from '../../../mock-server/words/times.ts';
import { toShortId } from '../../shared/short-id.ts';
import { BEHAVIOURS, type Behaviour, type KeptWebhook } from '../../demo-backend/lab-plan.ts';
import { Json, Moment, Panel } from '../../shared/console/parts.tsx';
import { describeReason } from '../../shared/console/describe-reason.ts';
import { PausedNote } from '../../shared/console/paused-note.tsx';
import { DELIVERY_TONES, STATE_TONES } from '../../shared/console/tones.ts';
import { handOver } from '../../shared/explainer/explain.ts';
import { Button } from '../../shared/kit/button.tsx';
import { CheckField } from '../../shared/kit/check-field.tsx';
import { Chip } from '../../shared/kit/chip.tsx';
import { EmptyState } from '../../shared/kit/empty-state.tsx';
import { Field } from '../../shared/kit/field.tsx';
import { SelectField } from '../../shared/kit/select-field.tsx';
import { type Column, Table } from '../../shared/kit/table.tsx';
import { announce, attempt } from '../../shared/kit/toast.tsx';
import { useBusy } from '../../shared/kit/use-busy.ts';
import type { Provider } from '../../shared/provider.ts';
import { siteUrl } from '../../shared/site.ts';
import { toCount } from '../../../mock-server/words/counts.ts';
import type { Receiver, ShopLab } from '../shop-lab.ts';
import {
  BEHAVIOUR_TEXTS,
  WORK_TEXTS,
  signatureOf,
  takesRealTime,
  toBytes,
} from '../webhook/behaviours.ts';
import { foldAlike } from '../webhook/fold-alike.ts';
import { toRequestTimes } from '../webhook/request-times.ts';
import { type WebhookLab as Lab, createWebhookLab } from '../webhook/webhook-lab.ts';

/** The receiver's behaviour, its endpoint at the service, and what has arrived. */
export function WebhookLab(props: { provider: Provider; shop: ShopLab }): JSX.Element {
  const { provider, shop } = props;
  const lab = useMemo(() => createWebhookLab(provider, shop), [provider, shop]);
  useEffect(() => lab.close, [lab]);
  const receiver = lab.receiver.value;
  const loadError = lab.loadError.value;
  if (!receiver || !lab.isReady.value) {
    return (
      <p class={loadError ? 'note tone--bad' : 'muted'} role="status">
        {loadError || 'Loading the receiver…'}
      </p>
    );
  }
  return (
    <div class="workbench" data-testid="workbench">
      <div class="workbench__side">
        <ReceiverPanel lab={lab} receiver={receiver} />
        <EndpointPanel lab={lab} />
      </div>
      <Requests lab={lab} receiver={receiver} />
    </div>
  );
}

function ReceiverPanel({ lab, receiver }: { lab: Lab; receiver: Receiver }): JSX.Element {
  const { behaviour, seconds, remembersEvents } = receiver.settings;
  return (
    <Panel title="Receiver">
      <SelectField
        label="Behaviour"
        hint={BEHAVIOUR_TEXTS[behaviour].what}
        options={BEHAVIOURS.map((one) => ({ value: one, text: BEHAVIOUR_TEXTS[one].title }))}
        value={behaviour}
        onValue={(chosen) => void attempt(() => lab.set({ behaviour: chosen }))}
        testId="behaviour"
      />
      {(behaviour === 'slow' || behaviour === 'too_many') && (
        <Field
          label={behaviour === 'slow' ? 'Seconds until the answer' : 'Retry-After, in seconds'}
        >
          {(ids) => (
            <input
              class="input"
              {...ids}
              type="number"
              min={1}
              max={60}
              data-testid="seconds"
              value={seconds}
              onChange={({ currentTarget }) =>
                void attempt(() => lab.set({ seconds: currentTarget.valueAsNumber }))
              }
            />
          )}
        </Field>
      )}
      <CheckField
        label="Stores the eventIds that it has processed"
        value={remembersEvents}
        onValue={(remembers) => void attempt(() => lab.set({ remembersEvents: remembers }))}
        testId="remembers"
      />
    </Panel>
  );
}

const EVENTS = (['verified', 'failed_age_not_met', 'cancelled'] as const).map((value) => ({
  value,
  text: SCENARIOS.find(({ name }) => name === value)?.title ?? value,
}));

/** The time after which the service pauses an endpoint that fails in this way. */
const toPause = (behaviour: Behaviour | undefined): { name: string; ms: number } =>
  behaviour === 'server_error' || behaviour === 'reset'
    ? { name: 'Let 25 hours pass', ms: 25 * 3_600_000 }
    : { name: 'Let 70 minutes pass', ms: 70 * 60_000 };

/** Returns the properties of a button that runs one action of the lab. Only one action runs at a time. */
type ToAction = (work: () => Promise<string | void>) => { busy: boolean; onPress(): unknown };

function EndpointPanel({ lab }: { lab: Lab }): JSX.Element {
  const busy = useBusy();
  const toAction: ToAction = (work) => ({
    busy: busy.isBusy,
    onPress: () =>
      busy.run(() =>
        attempt(async () => {
          const said = await work();
          if (said) announce(said);
        }),
      ),
  });
  const endpoint = lab.endpoint.value;
  return (
    <Panel
      title="Endpoint"
      actions={
        endpoint && (
          <Button small {...toAction(() => lab.removeEndpoint())} testId="remove-endpoint">
            Remove endpoint
          </Button>
        )
      }
    >
      {endpoint ? (
        <Endpoint lab={lab} endpoint={endpoint} toAction={toAction} />
      ) : (
        <>
          <p class="muted">
            Add the receiver as an endpoint, so that the service sends it every event too.
          </p>
          <div>
            <Button variant="primary" {...toAction(() => lab.addEndpoint())} testId="add-endpoint">
              Add endpoint
            </Button>
          </div>
        </>
      )}
    </Panel>
  );
}

function Endpoint(props: {
  lab: Lab;
  endpoint: EndpointResource;
  toAction: ToAction;
}): JSX.Element {
  const { lab, endpoint, toAction } = props;
  const { state, consecutiveFailures, pending, undelivered, nextAttemptAt } = endpoint.health;
  const event = useSignal<(typeof EVENTS)[number]['value']>('verified');
  const behaviour = lab.receiver.value?.settings.behaviour;
  const isSlow = behaviour !== undefined && takesRealTime(behaviour);
  const pause = toPause(behaviour);
  const isRepairing = state === 'paused' || undelivered > 0;
  return (
    <>
      <div class="row" data-testid="endpoint-state" data-state={state}>
        <Chip tone={STATE_TONES[state]}>{state}</Chip>
        <span class="muted">
          {toCount(consecutiveFailures, 'failure')} in a row · {pending} {DELIVERY_WORDS.pending} ·{' '}
          {undelivered} {DELIVERY_WORDS.undelivered}
        </span>
      </div>
      {state === 'paused' && (
        <PausedNote health={endpoint.health}>
          <Button variant="primary" {...toAction(() => lab.resume())} testId="resume">
            Test and resume
          </Button>
        </PausedNote>
      )}
      {state !== 'paused' && undelivered > 0 && (
        <div class="row">
          <Button variant="primary" {...toAction(() => lab.redeliver())} testId="redeliver">
            Redeliver {undelivered}
          </Button>
        </div>
      )}
      <div class="row row--actions">
        <SelectField
          label="Outcome of the verification"
          hideLabel
          options={EVENTS}
          bind={event}
          testId="event"
        />
        <Button
          variant={isRepairing ? undefined : 'primary'}
          {...toAction(() => lab.trigger(event.value))}
          testId="trigger"
        >
          Trigger event
        </Button>
      </div>
      <div class="row row--actions">
        <Button {...toAction(() => lab.test())} unavailable={state === 'paused'} testId="test">
          Test webhook
        </Button>
        <Button
          {...toAction(() => lab.jumpToRetry())}
          unavailable={nextAttemptAt === null}
          testId="jump"
        >
          Jump to next attempt
        </Button>
        <Button {...toAction(() => lab.advance(pause.ms))} disabled={isSlow} testId="hour">
          {pause.name}
        </Button>
      </div>
      {isSlow && <p class="muted">The clock cannot jump, because each attempt takes real time.</p>}
    </>
  );
}

/** Shows the requests that arrived, byte for byte, and the service's attempts to deliver them. */
function Requests({ lab, receiver }: { lab: Lab; receiver: Receiver }): JSX.Element {
  const { requests, processed, count } = receiver;
  const deliveries = lab.deliveries.value;
  const at = toRequestTimes(requests, deliveries);
  const days = new Set([...at.values()].map((time) => formatDate(time)));
  const times: Times = { at, hasDay: days.size > 1 };
  const twice = Object.values(processed).filter((done) => done > 1).length;
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
      {twice > 0 && (
        <p class="note tone--bad" data-testid="twice">
          {twice === 1 ? 'One event was' : `${twice} events were`} processed more than once. An
          order would have been shipped twice.
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
          <Alike key={alike.at(-1)?.n} lab={lab} alike={alike} times={times} />
        ))}
      </ul>
      {deliveries.length > 0 && (
        <details open>
          <summary>The service’s attempts</summary>
          <div class="cases deliveries">
            <Deliveries deliveries={deliveries} />
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

interface RequestProps {
  readonly lab: Lab;
  readonly request: KeptWebhook;
  readonly times: Times;
}

/** Shows requests that differ only in their time: one as it is, several in a line that unfolds. */
function Alike(props: {
  lab: Lab;
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
          <Facts request={newest} times={times} count={alike.length} />
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

function Request({ lab, request, times }: RequestProps): JSX.Element {
  const { work, event } = request;
  return (
    <li>
      <details class="kept__item" data-testid="request" data-work={work} data-event={event}>
        <summary>
          <Facts request={request} times={times} />
        </summary>
        <Bytes lab={lab} request={request} />
      </details>
    </li>
  );
}

const SIGNATURE_TONES = { valid: 'good', invalid: 'bad', unchecked: 'neutral' } as const;

/** Shows what arrived, and what the receiver made of it. */
function Facts(props: {
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

function Bytes({ lab, request }: { lab: Lab; request: KeptWebhook }): JSX.Element {
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

const ATTEMPTS_SHOWN = 6;

const DELIVERY_COLUMNS: readonly Column<DeliveryResource>[] = [
  { title: 'Event', cell: ({ event }) => <code>{event}</code> },
  {
    title: 'Session',
    cell: ({ sessionId }) => <code title={sessionId}>{toShortId(sessionId)}</code>,
  },
  {
    title: 'Status',
    cell: ({ status, reason }) => (
      <>
        <Chip tone={DELIVERY_TONES[status]}>{DELIVERY_WORDS[status]}</Chip>
        {reason && <div class="muted">{describeReason(reason)}</div>}
      </>
    ),
  },
  {
    title: 'Attempts',
    cell: ({ attempts }) => (
      <ul class="tries">
        {attempts.length > ATTEMPTS_SHOWN && (
          <li class="muted">{attempts.length - ATTEMPTS_SHOWN} earlier</li>
        )}
        {attempts.slice(-ATTEMPTS_SHOWN).map((one) => (
          <li key={`${one.n} ${one.startedAt}`} data-testid="attempt">
            <span class="muted">{formatTimeOfDay(one.startedAt)}</span> {toWords(one)}
          </li>
        ))}
      </ul>
    ),
  },
  {
    title: 'Next attempt',
    cell: ({ nextAttemptAt }) =>
      nextAttemptAt === null ? <span class="muted">{NONE}</span> : <Moment at={nextAttemptAt} />,
  },
];

function Deliveries({ deliveries }: { deliveries: readonly DeliveryResource[] }): JSX.Element {
  return (
    <Table
      label="Deliveries to the receiver"
      columns={DELIVERY_COLUMNS}
      rows={deliveries}
      toAttributes={({ id, status }) => ({
        key: id,
        'data-testid': 'delivery',
        'data-status': status,
      })}
    />
  );
}

function toWords({ outcome, httpStatus, error, retryAfterMs, hops }: AttemptResource): string {
  if (outcome === null) return 'in progress';
  const what = httpStatus ? String(httpStatus) : (error ?? outcome);
  const asked = retryAfterMs ? `, retry after ${retryAfterMs / 1_000} s` : '';
  return `${what}${asked}${hops > 0 ? `, ${toCount(hops, 'redirect')}` : ''}`;
}
