import { useSignal } from '@preact/signals';
import type { DeliveryResource, EndpointResource } from 'ofage-mock';
import { type ControlClient, EVENT_KINDS } from 'ofage-mock/client';
import type { JSX } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import {
  DELIVERY_STATUSES,
  DELIVERY_WORDS,
  LABELS,
  NEVER,
} from '../../mock-server/words/states.ts';
import { describeReason } from '../shared/console/describe-reason.ts';
import { Copy, Facts, Panel } from '../shared/console/parts.tsx';
import { PausedNote } from '../shared/console/paused-note.tsx';
import { DELIVERY_TONES } from '../shared/console/tones.ts';
import { Explainer } from '../shared/explainer/explainer.tsx';
import { Button } from '../shared/kit/button.tsx';
import { CheckField } from '../shared/kit/check-field.tsx';
import { Chip } from '../shared/kit/chip.tsx';
import { ConfirmButton } from '../shared/kit/confirm.tsx';
import { Dialog } from '../shared/kit/dialog.tsx';
import { EmptyState } from '../shared/kit/empty-state.tsx';
import { formatError } from '../shared/kit/format-error.ts';
import { SelectField } from '../shared/kit/select-field.tsx';
import { announce, attempt } from '../shared/kit/toast.tsx';
import { useBusy } from '../shared/kit/use-busy.ts';
import { toShortId } from '../shared/short-id.ts';
import { formatNumber, toCount } from '../../mock-server/words/counts.ts';
import { useQuery } from '../shared/use-query.ts';
import type { Context } from './context.ts';
import {
  describeDelivery,
  describeRedelivery,
  describeState,
  describeTest,
  explainRedeliverBlock,
  explainState,
  toStateTone,
} from './endpoint-view.ts';
import { Finder } from './finder.tsx';
import { HealthFacts, ProductionRefusal } from './health-facts.tsx';
import { toPairName } from './key-view.ts';
import { Pager, readTrail } from './pager.tsx';
import { Ago, Heading, Loaded, When } from './parts.tsx';
import * as queries from './queries.ts';
import { EntryList } from './timeline/entry-row.tsx';
import { orderEntries } from './timeline/order-entries.ts';
import { toDeliveryEntries } from './timeline/to-entries.ts';
import { SecretOnce, WebhookForm } from './webhook-form.tsx';

interface Props {
  context: Context;
  endpoint: EndpointResource;
}

export function Endpoint({ context, id }: { context: Context; id: string }): JSX.Element {
  const { client, live } = context.provider;
  const found = useQuery(live, {
    key: `endpoint ${id}`,
    topics: ['endpoint'],
    async read() {
      const all = await client.endpoints(context.tenant.id);
      // The endpoint of another account is found by its id alone.
      return {
        endpoint: all.find((one) => one.id === id) ?? (await client.endpoint(id).catch(() => null)),
      };
    },
  });
  const endpoint = found.data?.endpoint;
  return (
    <>
      <Heading
        title={endpoint?.url ?? 'Webhook endpoint'}
        pageTitle={endpoint ? `Endpoint ${endpoint.url}` : 'Webhook endpoint'}
        badge={
          endpoint && (
            <Chip tone={toStateTone(endpoint.health)} testId="endpoint-state">
              {describeState(endpoint.health)}
            </Chip>
          )
        }
      >
        <a href={context.href({ page: 'webhooks' })}>All endpoints</a> ·{' '}
        <span class="mono" title={id}>
          {toShortId(id)}
        </span>{' '}
        <Copy text={id} what="endpoint ID" />
      </Heading>
      <Loaded result={found}>
        {({ endpoint: shown }) =>
          shown ? (
            <>
              <div class="split" data-testid="endpoint">
                <Health context={context} endpoint={shown} />
                <Settings context={context} endpoint={shown} />
              </div>
              <Deliveries context={context} endpointId={id} />
              <Explainer provider={context.provider} />
            </>
          ) : (
            <p class="note tone--bad" role="alert">
              This endpoint does not exist. If it was deleted, the page of each session still shows
              its deliveries.
            </p>
          )
        }
      </Loaded>
    </>
  );
}

/** Shows how the deliveries go, with the one action that the state needs as the primary one. */
function Health({ context, endpoint }: Props): JSX.Element {
  const { client } = context.provider;
  const { id, enabled, health } = endpoint;
  const { isBusy, result, test, resume, redeliver } = useDeliveryActions(
    context.provider,
    endpoint,
  );
  const redeliverBlock = explainRedeliverBlock(health);
  const mayRedeliver = health.undelivered > 0 && redeliverBlock === null;
  const blockId = useId();
  const said = useRef<HTMLDivElement>(null);
  const redeliverAll = async (): Promise<void> => {
    await redeliver();
    // The button disappears when nothing is left. The focus would move to the next one, which sends a test.
    said.current?.focus({ preventScroll: true });
  };
  const toggle = (): Promise<boolean> =>
    attempt(async () => {
      await client.updateEndpoint(id, { enabled: !enabled });
      announce(enabled ? 'Endpoint switched off' : 'Endpoint switched on');
    });
  return (
    <Panel
      title="Health"
      actions={
        <CheckField
          label="Enabled"
          immediate
          value={enabled}
          onValue={() => void toggle()}
          testId="endpoint-enabled"
        />
      }
    >
      <div class="column">
        {health.pausedAt !== null ? (
          <PausedNote health={health}>
            <Button
              variant="primary"
              disabled={!enabled}
              busy={isBusy}
              onPress={resume}
              testId="test-and-resume"
            >
              Test and resume
            </Button>
          </PausedNote>
        ) : (
          <>
            <p>{explainState(health)}</p>
            <div class="row">
              {health.undelivered > 0 && (
                <Button
                  variant={mayRedeliver ? 'primary' : undefined}
                  unavailable={!mayRedeliver}
                  busy={isBusy}
                  aria-describedby={mayRedeliver ? undefined : blockId}
                  onPress={redeliverAll}
                  testId="redeliver"
                >
                  Redeliver {formatNumber(health.undelivered)}
                </Button>
              )}
              <Button
                variant={mayRedeliver ? undefined : 'primary'}
                disabled={!enabled}
                busy={isBusy}
                onPress={test}
                testId="test-webhook"
              >
                Test webhook
              </Button>
            </div>
            {redeliverBlock !== null && (
              <p class="muted" id={blockId}>
                {redeliverBlock}
              </p>
            )}
          </>
        )}
      </div>
      <div class="said" role="status" tabIndex={-1} ref={said}>
        {result && (
          <p class={`note tone--${result.isGood ? 'good' : 'bad'}`} data-testid="said">
            {(health.pending + health.undelivered === 0 && result.textAtEnd) || result.text}
          </p>
        )}
      </div>
      <HealthFacts nowMs={context.nowMs} health={health} />
    </Panel>
  );
}

interface ActionResult {
  readonly isGood: boolean;
  readonly text: string;
  /** The text to show instead once no event is waiting or undelivered. */
  readonly textAtEnd?: string;
}

/**
 * Runs one action at a time. The result stays on screen until the next action begins or the state of the
 * endpoint contradicts it, because users read it more than once.
 */
function useDeliveryActions({ client }: Context['provider'], { id, health }: EndpointResource) {
  const { state } = health;
  const isWorking = state === 'healthy';
  const busy = useBusy();
  const result = useSignal<ActionResult | null>(null);
  useEffect(() => {
    if (result.value?.isGood !== isWorking) result.value = null;
  }, [state, isWorking]);
  const act = (work: () => Promise<ActionResult>): Promise<void> =>
    busy.run(async () => {
      result.value = null;
      result.value = await work().catch((error: unknown) => ({
        isGood: false,
        text: formatError(error),
      }));
    });
  const runTest = (run: ControlClient['testEndpoint']): Promise<void> =>
    act(async () => {
      const answer = await run(id);
      return { isGood: answer.success, text: describeTest(answer) };
    });
  return {
    isBusy: busy.isBusy,
    result: result.value,
    test: () => runTest(client.testEndpoint),
    resume: () => runTest(client.resumeEndpoint),
    redeliver: () =>
      act(async () => {
        const redelivery = await client.redeliver(id);
        const textAtEnd = `Delivered ${toCount(redelivery.queued, 'event')}`;
        return { isGood: true, text: describeRedelivery(redelivery), textAtEnd };
      }),
  };
}

/** Shows what the endpoint receives, with the actions that change it. */
function Settings({ context, endpoint }: Props): JSX.Element {
  const { client } = context.provider;
  const { events, pairId, hasSecret, productionRefusal } = endpoint;
  const isEditing = useSignal(false);
  const isShown = useSignal(false);
  const secret = useSignal<string | null>(null);
  return (
    <Panel
      title="Settings"
      actions={
        <Button small onPress={() => (isEditing.value = true)} testId="edit-endpoint">
          Edit
        </Button>
      }
    >
      <Facts
        facts={[
          ['Events', events.length === EVENT_KINDS.length ? 'all' : events.join(', ')],
          ['Key pair', pairId === null ? 'all of the account' : toPairName(pairId)],
          ['Signed', hasSecret ? 'yes' : 'no'],
        ]}
      />
      <ProductionRefusal refusal={productionRefusal} />
      <div class="row">
        <ConfirmButton
          label="Rotate secret…"
          title="Rotate the signing secret?"
          confirm="Rotate secret"
          done="Secret rotated"
          isSmall
          testId="rotate-secret"
          work={async () => {
            secret.value = (await client.rotateSecret(endpoint.id)).secret;
          }}
          onDone={() => (isShown.value = true)}
        >
          <p>
            The new secret replaces the old one and signs all requests from now on, including those
            of queued events.
          </p>
        </ConfirmButton>
        <ConfirmButton
          label="Delete…"
          title="Delete this endpoint?"
          confirm="Delete endpoint"
          done="Endpoint deleted"
          isSmall
          testId="delete-endpoint"
          work={async () => {
            // Left first, because the page would show that the endpoint does not exist.
            context.go({ page: 'webhooks' });
            await client.deleteEndpoint(endpoint.id);
          }}
        >
          <p>
            <span class="mono">{endpoint.url}</span> gets no more events, and its queued deliveries
            are cancelled.
          </p>
        </ConfirmButton>
      </div>
      <Dialog title="Edit endpoint" isOpen={isEditing}>
        <WebhookForm
          context={context}
          noun="endpoint"
          saved={endpoint}
          onDone={() => (isEditing.value = false)}
        />
      </Dialog>
      <Dialog title="New signing secret" isOpen={isShown} dismiss={null}>
        <SecretOnce secret={secret.value} onDone={() => (isShown.value = false)} />
      </Dialog>
    </Panel>
  );
}

const ANY = { value: '', text: 'any' };

const STATUS_OPTIONS = DELIVERY_STATUSES.map((value) => ({ value, text: DELIVERY_WORDS[value] }));

/** Finds the word for a status of the address, which may be unknown. */
function findWord(status: string): string {
  return STATUS_OPTIONS.find(({ value }) => value === status)?.text ?? status;
}

/** Lists the deliveries to an endpoint, newest first, each with its attempts and its body. */
function Deliveries(props: { context: Context; endpointId: string }): JSX.Element {
  const { context, endpointId } = props;
  const { route } = context;
  const { client, live } = context.provider;
  const { q = '', status = '', event = '' } = route.query;
  const trail = readTrail(route);
  const sent = useQuery(
    live,
    queries.deliveries(client, {
      endpointId,
      text: q || undefined,
      status: DELIVERY_STATUSES.find((one) => one === status),
      event: EVENT_KINDS.find((one) => one === event),
      before: trail.at(-1),
    }),
  );
  const isFiltered = [q, status, event].some((value) => value !== '');
  const go = (query: Readonly<Record<string, string>>): void =>
    context.go({ page: 'webhooks', id: endpointId, query });
  return (
    <Panel title="Deliveries" testId="deliveries">
      <Finder
        context={context}
        search={{
          name: 'q',
          label: 'Session, event or delivery ID, or externalUserId',
          testId: 'delivery-search',
        }}
        chips={[
          ['status', `Status: ${findWord(status)}`],
          ['event', `Event: ${event}`],
        ]}
      >
        <SelectField
          name="status"
          label="Status"
          options={[ANY, ...STATUS_OPTIONS]}
          value={status}
          testId="filter-status"
        />
        <SelectField
          name="event"
          label="Event"
          options={[ANY, ...EVENT_KINDS]}
          value={event}
          testId="filter-event"
        />
      </Finder>
      <Loaded result={sent}>
        {({ items, next }) => (
          <>
            {items.length === 0 && <NoDeliveries onClear={isFiltered ? () => go({}) : null} />}
            <ul class="stack">
              {items.toReversed().map((delivery) => (
                <li key={delivery.id}>
                  <Delivery context={context} delivery={delivery} />
                </li>
              ))}
            </ul>
            <Pager
              label="Pages of deliveries"
              trail={trail}
              next={next}
              go={(before) => go({ ...route.query, before })}
            />
          </>
        )}
      </Loaded>
    </Panel>
  );
}

/** @param props.onClear Removes the filters. Null if there are none. */
function NoDeliveries({ onClear }: { onClear: (() => void) | null }): JSX.Element {
  if (onClear) {
    return (
      <EmptyState title="No matching deliveries.">
        <p>
          <Button onPress={onClear}>Show all deliveries</Button>
        </p>
      </EmptyState>
    );
  }
  return (
    <EmptyState title="No deliveries yet.">
      <p>Test the webhook above, or start a session to send real events.</p>
    </EmptyState>
  );
}

interface DeliveryProps {
  context: Context;
  delivery: DeliveryResource;
}

/** Shows a delivery in one line, with its details on request. */
function Delivery({ context, delivery }: DeliveryProps): JSX.Element {
  const isOpen = useSignal(false);
  const { status, event, createdAt, sessionId } = delivery;
  return (
    <details
      class="more"
      data-testid="delivery"
      data-status={status}
      onToggle={(toggle) => (isOpen.value = toggle.currentTarget.open)}
    >
      <summary class="line">
        <Chip tone={DELIVERY_TONES[status]}>{DELIVERY_WORDS[status]}</Chip> <strong>{event}</strong>{' '}
        <span class="mono">session {toShortId(sessionId)}</span>{' '}
        <span class="muted">{describeDelivery(delivery)}</span>{' '}
        <Ago at={createdAt} nowMs={context.nowMs} />
      </summary>
      {isOpen.value && (
        <div class="detail">
          <DeliveryFacts context={context} delivery={delivery} />
          <Attempts context={context} delivery={delivery} />
        </div>
      )}
    </details>
  );
}

function DeliveryFacts({ context, delivery }: DeliveryProps): JSX.Element {
  const { nowMs } = context;
  const { sessionId, eventId, reason, redeliveries } = delivery;
  const { nextAttemptAt, deliveredAt, undeliveredAt } = delivery;
  return (
    <Facts
      facts={[
        [
          'Session',
          <a class="mono" href={context.href({ page: 'sessions', id: sessionId })}>
            {sessionId}
          </a>,
        ],
        nextAttemptAt !== null && ['Due', <When at={nextAttemptAt} nowMs={nowMs} />],
        deliveredAt !== null && ['Delivered', <When at={deliveredAt} nowMs={nowMs} />],
        undeliveredAt !== null && [LABELS.notDelivered, <When at={undeliveredAt} nowMs={nowMs} />],
        reason !== null && ['Reason', describeReason(reason)],
        ['Redelivered', redeliveries === 0 ? NEVER : toCount(redeliveries, 'time')],
        ['Event ID', <span class="mono">{eventId}</span>],
      ]}
    />
  );
}

/** Shows the attempts, each with the exact body. The events have the bodies. */
function Attempts({ context, delivery }: DeliveryProps): JSX.Element {
  const { client, live } = context.provider;
  const { sessionId, attempts } = delivery;
  const events = useQuery(live, {
    key: `events of ${sessionId}`,
    topics: ['event'],
    read: () => client.events({ sessionId, limit: 100 }),
  });
  return (
    <EntryList
      href={context.href}
      entries={orderEntries(toDeliveryEntries({ ...delivery, attempts, undeliveredAt: null }))}
      eventOf={(id) => events.data?.find((event) => event.id === id)}
    />
  );
}
