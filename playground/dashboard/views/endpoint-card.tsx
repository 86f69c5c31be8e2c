import { useSignal } from '@preact/signals';
import type { EndpointResource, HealthResource } from 'ofage/mock';
import { type ControlClient, EVENT_KINDS } from 'ofage/mock/client';
import type { JSX } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { Panel } from '../../shared/console/parts.tsx';
import { useKeptFocus } from '../../shared/console/use-kept-focus.ts';
import { Button } from '../../shared/kit/button.tsx';
import { CheckField } from '../../shared/kit/check-field.tsx';
import { Dialog } from '../../shared/kit/dialog.tsx';
import { announce, attempt } from '../../shared/kit/toast.tsx';
import { useBusy } from '../../shared/kit/use-busy.ts';
import type { Provider } from '../../shared/provider.ts';
import { useProblem } from '../../shared/use-query.ts';
import { formatNumber } from '../../shared/to-count.ts';
import { describeRedelivery, describeTest, explainState, toActions } from '../endpoint-view.ts';
import { toPairName } from '../key-view.ts';
import { ConfirmButton } from './confirm.tsx';
import type { AppContext } from './app-context.ts';
import { EndpointForm, SecretOnce } from './endpoint-form.tsx';
import { HealthFacts, ProductionRefusal } from './webhook-health.tsx';

interface CardProps {
  context: AppContext;
  endpoint: EndpointResource;
  onDeleted: () => void;
}

export function EndpointCard(props: CardProps): JSX.Element {
  const { context, endpoint } = props;
  const { client } = context.provider;
  const { id, events, pairId, enabled, hasSecret, health, productionRefusal } = endpoint;
  const toggle = (): Promise<boolean> =>
    attempt(async () => {
      await client.updateEndpoint(id, { enabled: !enabled });
      announce(enabled ? 'Endpoint switched off' : 'Endpoint switched on');
    });
  return (
    <Panel
      title="Endpoint"
      testId="endpoint"
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
      {health.notice ? (
        <p class="note note--bad" data-testid="endpoint-notice">
          {health.notice}
        </p>
      ) : (
        <p>{explainState(health)}</p>
      )}
      <ProductionRefusal refusal={productionRefusal} />
      <HealthFacts context={context} health={health} />
      <p class="muted">
        {events.length === EVENT_KINDS.length ? 'All events' : events.join(', ')}
        {pairId === null ? ' of the account' : ` of key pair ${toPairName(pairId)}`},{' '}
        {hasSecret ? 'signed' : 'not signed'}
      </p>
      <Actions {...props} />
    </Panel>
  );
}

function Actions({ context, endpoint, onDeleted }: CardProps): JSX.Element {
  const { client } = context.provider;
  const { id, health } = endpoint;
  const { mayTest, mayResume, mayRedeliver, redeliverBlock } = toActions(endpoint);
  const { isBusy, result, test, resume, redeliver } = useDeliveryActions(
    context.provider,
    id,
    health,
  );
  const blockId = useId();
  const actions = useRef<HTMLDivElement>(null);
  useKeptFocus(actions);
  return (
    <>
      <div class="row" ref={actions}>
        <Button
          // Resuming is the main action of a paused endpoint. Each view has one primary button.
          variant={mayResume ? undefined : 'primary'}
          disabled={!mayTest}
          busy={isBusy}
          onPress={test}
          testId="test-webhook"
        >
          Test webhook
        </Button>
        {mayResume && (
          <Button
            variant="primary"
            disabled={!mayTest}
            busy={isBusy}
            onPress={resume}
            testId="test-and-resume"
          >
            Test and resume
          </Button>
        )}
        <Button
          unavailable={!mayRedeliver}
          busy={isBusy}
          aria-describedby={redeliverBlock === null ? undefined : blockId}
          onPress={redeliver}
          testId="redeliver"
        >
          Redeliver{health.undelivered > 0 ? ` ${formatNumber(health.undelivered)}` : ''}
        </Button>
        <EditEndpoint context={context} endpoint={endpoint} />
        <RotateSecret client={client} endpointId={id} />
        <DeleteEndpoint client={client} endpoint={endpoint} onDeleted={onDeleted} />
      </div>
      {redeliverBlock !== null && (
        <p class="muted" id={blockId} data-testid="redeliver-block">
          {redeliverBlock}
        </p>
      )}
      <div class="said" role="status">
        {result.text !== '' && (
          <p class={`note note--${result.isGood ? 'good' : 'bad'}`} data-testid="said">
            {result.text}
          </p>
        )}
      </div>
    </>
  );
}

interface Result {
  readonly isGood: boolean;
  readonly text: string;
}

/**
 * Runs one action at a time. The result stays on screen until the next action begins or the state of the
 * endpoint contradicts it, because users read it more than once.
 */
function useDeliveryActions({ client, live }: Provider, id: string, health: HealthResource) {
  const { state, consecutiveFailures } = health;
  const isWorking = state === 'healthy' && consecutiveFailures === 0;
  const busy = useBusy();
  const lastResult = useSignal<Result | null>(null);
  const problem = useProblem(live);
  useEffect(() => {
    if (isWorking) problem.clear();
    if (lastResult.value?.isGood !== isWorking) lastResult.value = null;
  }, [state, isWorking]);
  const act = (work: () => Promise<Result>): Promise<void> =>
    busy.run(async () => {
      lastResult.value = null;
      problem.clear();
      try {
        lastResult.value = await work();
      } catch (error) {
        problem.set(error);
      }
    });
  const runTest = (run: ControlClient['testEndpoint']): Promise<void> =>
    act(async () => {
      const result = await run(id);
      return { isGood: result.success, text: describeTest(result) };
    });
  return {
    isBusy: busy.isBusy,
    result: lastResult.value ?? { isGood: false, text: problem.text },
    test: () => runTest(client.testEndpoint),
    resume: () => runTest(client.resumeEndpoint),
    redeliver: () =>
      act(async () => ({ isGood: true, text: describeRedelivery(await client.redeliver(id)) })),
  };
}

function EditEndpoint({ context, endpoint }: Omit<CardProps, 'onDeleted'>): JSX.Element {
  const isOpen = useSignal(false);
  return (
    <>
      <Button onPress={() => (isOpen.value = true)} testId="edit-endpoint">
        Edit
      </Button>
      <Dialog title="Edit endpoint" isOpen={isOpen}>
        <EndpointForm context={context} endpoint={endpoint} onDone={() => (isOpen.value = false)} />
      </Dialog>
    </>
  );
}

function RotateSecret(props: { client: ControlClient; endpointId: string }): JSX.Element {
  const { client, endpointId } = props;
  const secret = useSignal<string | null>(null);
  const isShown = useSignal(false);
  return (
    <>
      <ConfirmButton
        label="Rotate secret…"
        title="Rotate the signing secret?"
        confirm="Rotate secret"
        done="Secret rotated"
        testId="rotate-secret"
        work={async () => {
          const rotated = await client.rotateSecret(endpointId);
          secret.value = rotated.secret;
        }}
        onDone={() => (isShown.value = true)}
      >
        <p>
          The new secret replaces the old one and signs all requests from now on, including those of
          queued events.
        </p>
      </ConfirmButton>
      <Dialog title="New signing secret" isOpen={isShown} dismiss={null}>
        <SecretOnce secret={secret.value} onDone={() => (isShown.value = false)} />
      </Dialog>
    </>
  );
}

function DeleteEndpoint(props: {
  client: ControlClient;
  endpoint: EndpointResource;
  onDeleted: () => void;
}): JSX.Element {
  const { client, endpoint, onDeleted } = props;
  return (
    <ConfirmButton
      label="Delete…"
      title="Delete this endpoint?"
      confirm="Delete endpoint"
      done="Endpoint deleted"
      testId="delete-endpoint"
      work={async () => {
        await client.deleteEndpoint(endpoint.id);
        onDeleted();
      }}
    >
      <p>
        <span class="mono">{endpoint.url}</span> gets no more events, and its queued deliveries are
        cancelled.
      </p>
    </ConfirmButton>
  );
}
