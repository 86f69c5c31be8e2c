import { useSignal } from '@preact/signals';
import type { EndpointResource, HealthResource } from 'ofage/mock';
import type { JSX } from 'preact';
import { useRef } from 'preact/hooks';
import { Facts, Panel } from '../../shared/console/parts.tsx';
import { useKeptFocus } from '../../shared/console/use-kept-focus.ts';
import { EVENT_KINDS } from 'ofage/mock/client';
import { STATE_TONES } from '../../shared/console/tones.ts';
import { Button } from '../../shared/kit/button.tsx';
import { CheckField } from '../../shared/kit/check-field.tsx';
import { Chip } from '../../shared/kit/chip.tsx';
import { Dialog } from '../../shared/kit/dialog.tsx';
import { announce, attempt } from '../../shared/kit/toast.tsx';
import { useBusy } from '../../shared/kit/use-busy.ts';
import { useTrouble } from '../../shared/live/reconnect.ts';
import { describeRedelivery, describeTest, explainState, toActions } from '../endpoint-view.ts';
import { toCount } from '../../shared/to-count.ts';
import { toPairName } from '../key-view.ts';
import { When } from './bits.tsx';
import { ConfirmButton } from './confirm.tsx';
import type { Desk } from './desk.ts';
import { EndpointForm, SecretOnce } from './endpoint-form.tsx';

/** An endpoint: how it goes, and everything that can be done about it. */
export function EndpointCard(props: {
  desk: Desk;
  endpoint: EndpointResource;
  isAlone?: boolean;
  onDeleted?: () => void;
}): JSX.Element {
  const { desk, endpoint, isAlone, onDeleted } = props;
  const { client } = desk.provider;
  const { id, url, events, pairId, enabled, health, productionRefusal } = endpoint;
  const isEditing = useSignal(false);
  const busy = useBusy();
  const said = useSignal<{ readonly isGood: boolean; readonly text: string } | null>(null);
  const trouble = useTrouble();
  const { mayTest, mayResume, mayRedeliver } = toActions(endpoint);
  const result = said.value ?? { isGood: false, text: trouble.text };
  const actions = useRef<HTMLDivElement>(null);
  useKeptFocus(actions);

  /** What comes of it stays in sight, as one reads it more than once. */
  const act = (work: () => Promise<{ isGood: boolean; text: string }>): Promise<void> =>
    busy.run(async () => {
      said.value = null;
      trouble.clear();
      try {
        said.value = await work();
      } catch (error) {
        trouble.set(error);
      }
    });
  const test = (action: 'test' | 'resume'): Promise<void> =>
    act(async () => {
      const result = await (action === 'test'
        ? client.testEndpoint(id)
        : client.resumeEndpoint(id));
      return { isGood: result.success, text: describeTest(result) };
    });
  const redeliver = (): Promise<void> =>
    act(async () => {
      const result = await client.redeliver(id);
      return { isGood: true, text: describeRedelivery(result) };
    });
  const toggle = (): Promise<boolean> =>
    attempt(async () => {
      await client.updateEndpoint(id, { enabled: !enabled });
      announce(enabled ? 'Endpoint switched off' : 'Endpoint switched on');
    });

  return (
    <Panel
      title={isAlone ? 'Endpoint' : url}
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
      <p class="row">
        <Chip tone={STATE_TONES[health.state]} testId="endpoint-state">
          {health.state}
        </Chip>
        <span>{explainState(health)}</span>
      </p>
      {health.notice && (
        <p class="note note--bad" data-testid="endpoint-notice">
          {health.notice}
        </p>
      )}
      {productionRefusal && (
        <p class="note note--warn" data-testid="production-refusal">
          Only this mock takes the address. Production would say: “{productionRefusal}”
        </p>
      )}
      <HealthFacts desk={desk} health={health} />
      <p class="muted">
        {events.length === EVENT_KINDS.length ? 'All events' : events.join(', ')}
        {pairId === null ? ', of the whole account' : `, of pair ${toPairName(pairId)}`}
        {endpoint.hasSecret ? ', signed' : ', not signed'}
      </p>
      <div class="row" ref={actions}>
        <Button
          disabled={!mayTest}
          busy={busy.isBusy}
          onPress={() => test('test')}
          testId="test-webhook"
        >
          Test Webhook
        </Button>
        {mayResume && (
          <Button
            look="primary"
            disabled={!mayTest}
            busy={busy.isBusy}
            onPress={() => test('resume')}
            testId="test-and-resume"
          >
            Test and resume
          </Button>
        )}
        <Button
          unavailable={!mayRedeliver}
          busy={busy.isBusy}
          onPress={redeliver}
          testId="redeliver"
        >
          Redeliver{health.undelivered > 0 ? ` ${health.undelivered}` : ''}
        </Button>
        <Button onPress={() => (isEditing.value = true)} testId="edit-endpoint">
          Edit
        </Button>
        <RotateSecret desk={desk} endpointId={id} />
        <ConfirmButton
          label="Delete…"
          title="Delete this endpoint?"
          confirm="Delete endpoint"
          done="Endpoint deleted"
          testId="delete-endpoint"
          work={async () => {
            await client.deleteEndpoint(id);
            onDeleted?.();
          }}
        >
          <p>
            <span class="mono break">{url}</span> gets nothing any more, and what still waits for it
            is cancelled.
          </p>
        </ConfirmButton>
        {!isAlone && <a href={desk.href({ section: 'webhooks', id })}>Deliveries</a>}
      </div>
      <div class="said" role="status">
        {result.text !== '' && (
          <p class={`note note--${result.isGood ? 'good' : 'bad'}`} data-testid="said">
            {result.text}
          </p>
        )}
      </div>
      <Dialog title="Edit endpoint" isOpen={isEditing}>
        <EndpointForm desk={desk} endpoint={endpoint} onDone={() => (isEditing.value = false)} />
      </Dialog>
    </Panel>
  );
}

function RotateSecret({ desk, endpointId }: { desk: Desk; endpointId: string }): JSX.Element {
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
          const rotated = await desk.provider.client.rotateSecret(endpointId);
          secret.value = rotated.secret;
        }}
        onDone={() => (isShown.value = true)}
      >
        <p>
          The new secret signs every request from then on, also those of events that are queued. The
          old one is not used again.
        </p>
      </ConfirmButton>
      <Dialog title="New signing secret" isOpen={isShown} dismiss={null}>
        <SecretOnce secret={secret.value} onDone={() => (isShown.value = false)} />
      </Dialog>
    </>
  );
}

export function HealthFacts({ desk, health }: { desk: Desk; health: HealthResource }): JSX.Element {
  const { nowMs } = desk;
  const { lastSuccessAt, lastFailureAt, pausedAt, pauseReason, undelivered, pending } = health;
  const { nextAttemptAt, failingSince, consecutiveFailures } = health;
  return (
    <Facts
      facts={[
        ['Last success', <When key="success" at={lastSuccessAt} nowMs={nowMs} />],
        ['Last failure', <When key="failure" at={lastFailureAt} nowMs={nowMs} />],
        ...(failingSince === null
          ? []
          : [
              [
                'Failing since',
                <span key="since">
                  <When at={failingSince} nowMs={nowMs} />, {toCount(consecutiveFailures, 'time')}{' '}
                  in a row
                </span>,
              ] as const,
            ]),
        ['Not delivered', undelivered],
        ['Waiting', pending],
        ...(nextAttemptAt === null
          ? []
          : [['Next attempt', <When key="next" at={nextAttemptAt} nowMs={nowMs} />] as const]),
        ...(pausedAt === null
          ? []
          : [
              [
                'Paused',
                <span key="paused">
                  <When at={pausedAt} nowMs={nowMs} />, because it is {pauseReason}
                </span>,
              ] as const,
            ]),
      ]}
    />
  );
}
