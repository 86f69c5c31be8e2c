import { useSignal } from '@preact/signals';
import type { KeyPairResource, KeyResource } from 'ofage/mock';
import type { JSX } from 'preact';
import { Copy, Panel } from '../../shared/console/parts.tsx';
import { Button } from '../../shared/kit/button.tsx';
import { Chip } from '../../shared/kit/chip.tsx';
import { EmptyState } from '../../shared/kit/empty-state.tsx';
import { attempt, announce } from '../../shared/kit/toast.tsx';
import { explainPair, KEY_TONES, maskSecret, toPairName } from '../key-view.ts';
import { useList } from '../../shared/old-lists.ts';
import { allSessions } from '../session-search.ts';
import { Heading, LoadedList, When } from './bits.tsx';
import { ConfirmButton } from './confirm.tsx';
import type { AppContext } from './app-context.ts';
import { usePairs } from './use-pairs.ts';

export function Keys({ context }: { context: AppContext }): JSX.Element {
  const { provider, tenant } = context;
  const pairs = usePairs(context);
  const create = (): Promise<boolean> =>
    attempt(async () => {
      const { pairId } = await provider.client.createKeyPair(tenant.id);
      announce(`Key pair ${toPairName(pairId)} created`);
    });
  return (
    <>
      <Heading
        title="API keys"
        actions={
          <Button variant="primary" onPress={create} testId="create-pair">
            Create key pair
          </Button>
        }
      >
        Use the publishable key in your page. Keep the secret key on your server.
      </Heading>
      <LoadedList live={pairs} empty={<NoPairs />}>
        {(items) =>
          items.toReversed().map((pair) => <Pair key={pair.pairId} context={context} pair={pair} />)
        }
      </LoadedList>
    </>
  );
}

function NoPairs(): JSX.Element {
  return (
    <Panel title="Key pairs">
      <EmptyState title="No key pairs yet.">
        <p>
          Create a key pair above. The SDK uses its publishable key, your server its secret key.
        </p>
      </EmptyState>
    </Panel>
  );
}

function Pair({ context, pair }: { context: AppContext; pair: KeyPairResource }): JSX.Element {
  const { provider, tenant, nowMs } = context;
  const why = explainPair(pair);
  const { data } = useList(provider, allSessions(tenant.id));
  const lastSession = data.value?.findLast(({ pairId }) => pairId === pair.pairId);
  return (
    <Panel
      title={`Key pair ${toPairName(pair.pairId)}`}
      testId="key-pair"
      actions={
        <a href={context.href({ section: 'sessions', query: { pair: pair.pairId } })}>Sessions</a>
      }
    >
      <p class="muted">
        Created <When at={pair.publishable.createdAt} nowMs={nowMs} />
        {lastSession && (
          <>
            {' '}
            · last session <When at={lastSession.createdAt} nowMs={nowMs} />
          </>
        )}
      </p>
      {why && <p class="note note--warn">{why}</p>}
      <Key context={context} apiKey={pair.publishable} />
      <Key context={context} apiKey={pair.secret} />
    </Panel>
  );
}

function Key({ context, apiKey }: { context: AppContext; apiKey: KeyResource }): JSX.Element {
  const { provider } = context;
  const { id, kind, value, status } = apiKey;
  const isShown = useSignal(kind === 'publishable');
  const name = `${kind} key`;
  const change = (to: 'active' | 'paused'): Promise<boolean> =>
    attempt(async () => {
      await provider.client.setKeyStatus(id, to);
      announce(`The ${name} is ${to}`);
    });
  return (
    <div class="key" data-testid={`key-${kind}`} data-status={status}>
      <div class="key__head">
        <h3>{kind === 'publishable' ? 'Publishable key' : 'Secret key'}</h3>
        <Chip tone={KEY_TONES[status]}>{status}</Chip>
      </div>
      <code class="key__value">{isShown.value ? value : maskSecret(value)}</code>
      <div class="row">
        {kind === 'secret' && (
          <Button
            small
            aria-label={`${isShown.value ? 'Hide' : 'Reveal'} ${name}`}
            onPress={() => (isShown.value = !isShown.value)}
            testId="reveal"
          >
            {isShown.value ? 'Hide' : 'Reveal'}
          </Button>
        )}
        <Copy text={value} what={name} />
        {status !== 'revoked' && (
          <>
            <Button
              small
              aria-label={`${status === 'active' ? 'Pause' : 'Resume'} ${name}`}
              onPress={() => change(status === 'active' ? 'paused' : 'active')}
              testId="pause"
            >
              {status === 'active' ? 'Pause' : 'Resume'}
            </Button>
            <ConfirmButton
              label="Revoke…"
              name={`Revoke… ${name}`}
              title={`Revoke this ${name}?`}
              confirm="Revoke key"
              done={`The ${name} is revoked`}
              isSmall
              testId="revoke"
              work={() => provider.client.revokeKey(id)}
            >
              <p>
                <code>{maskSecret(value)}</code> stops working permanently, and the API returns 401.
                To switch it off temporarily, pause it instead.
              </p>
            </ConfirmButton>
          </>
        )}
      </div>
    </div>
  );
}
