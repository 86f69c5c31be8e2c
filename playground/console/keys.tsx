import { useSignal } from '@preact/signals';
import type { KeyPairResource, KeyResource } from 'ofage-mock';
import type { JSX } from 'preact';
import { Copy, Panel } from '../shared/console/parts.tsx';
import { Button } from '../shared/kit/button.tsx';
import { Chip } from '../shared/kit/chip.tsx';
import { ConfirmButton } from '../shared/kit/confirm.tsx';
import { EmptyState } from '../shared/kit/empty-state.tsx';
import { announce, attempt } from '../shared/kit/toast.tsx';
import { useQuery } from '../shared/use-query.ts';
import type { Context } from './context.ts';
import { explainPair, KEY_TONES, maskSecret, toPairName } from './key-view.ts';
import { Heading, Loaded, When } from './parts.tsx';
import * as queries from './queries.ts';

export function Keys({ context }: { context: Context }): JSX.Element {
  const { provider, tenant } = context;
  const { client, live } = provider;
  const pairs = useQuery(live, queries.pairs(client, tenant.id));
  const create = (): Promise<boolean> =>
    attempt(async () => {
      const { pairId } = await client.createKeyPair(tenant.id);
      announce(`Key pair ${toPairName(pairId)} created`);
    });
  return (
    <>
      <Heading
        title="Keys"
        actions={
          <Button variant="primary" onPress={create} testId="create-pair">
            Create key pair
          </Button>
        }
      >
        Use the publishable key in your page. Keep the secret key on your server.
      </Heading>
      <Loaded result={pairs}>
        {(items) =>
          items.length === 0 ? (
            <Panel title="Key pairs">
              <EmptyState title="No key pairs yet.">
                <p>
                  Create a key pair above. The SDK uses its publishable key, your server its secret
                  key.
                </p>
              </EmptyState>
            </Panel>
          ) : (
            items
              .toReversed()
              .map((pair) => <Pair key={pair.pairId} context={context} pair={pair} />)
          )
        }
      </Loaded>
    </>
  );
}

function Pair({ context, pair }: { context: Context; pair: KeyPairResource }): JSX.Element {
  const { provider, nowMs } = context;
  const { client, live } = provider;
  const { pairId, publishable, secret } = pair;
  const why = explainPair(pair);
  const last = useQuery(live, {
    key: `last session ${pairId}`,
    topics: ['session'],
    read: () => client.sessions({ pairId, limit: 1 }),
  }).data?.[0];
  return (
    <Panel
      title={`Key pair ${toPairName(pairId)}`}
      testId="key-pair"
      actions={
        <a href={context.href({ page: 'sessions', query: { pair: pairId } })}>
          Sessions of this pair
        </a>
      }
    >
      <p class="muted">
        Created <When at={publishable.createdAt} nowMs={nowMs} />
        {last && (
          <>
            {' '}
            · last session <When at={last.createdAt} nowMs={nowMs} />
          </>
        )}
      </p>
      {why && <p class="note tone--warn">{why}</p>}
      <Key context={context} apiKey={publishable} />
      <Key context={context} apiKey={secret} />
    </Panel>
  );
}

function Key({ context, apiKey }: { context: Context; apiKey: KeyResource }): JSX.Element {
  const { client } = context.provider;
  const { id, kind, value, status } = apiKey;
  const isShown = useSignal(false);
  const name = `${kind} key`;
  const hidden = kind === 'secret' ? maskSecret(value) : value;
  const change = (to: 'active' | 'paused'): Promise<boolean> =>
    attempt(async () => {
      await client.setKeyStatus(id, to);
      announce(`The ${name} is ${to}`);
    });
  return (
    <div class="key" data-testid={`key-${kind}`} data-status={status}>
      <div class="row">
        <h3>{kind === 'publishable' ? 'Publishable key' : 'Secret key'}</h3>
        {status !== 'active' && <Chip tone={KEY_TONES[status]}>{status}</Chip>}
      </div>
      <div class="key__value">
        <code>{isShown.value ? value : hidden}</code>
        <div class="row">
          <Copy text={value} what={name} />
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
                work={() => client.revokeKey(id)}
              >
                <p>
                  <code>{hidden}</code> stops working permanently, and the API returns 401. To
                  switch it off temporarily, pause it instead.
                </p>
              </ConfirmButton>
            </>
          )}
        </div>
      </div>
    </div>
  );
}
