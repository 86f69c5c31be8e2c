import { useSignal } from '@preact/signals';
import type { KeyPairResource, KeyResource } from 'ofage/mock';
import type { JSX } from 'preact';
import { attempt, announce } from '../../shared/console/announce.tsx';
import { Badge, Copy, Panel } from '../../shared/console/parts.tsx';
import { explainPair, KEY_TONES, maskSecret, toPairName } from '../key-view.ts';
import { Empty, Heading, Loaded, When } from './bits.tsx';
import { ConfirmButton } from './confirm.tsx';
import type { Desk } from './desk.ts';
import { useLive } from './use-live.ts';

export function Keys({ desk }: { desk: Desk }): JSX.Element {
  const { provider, tenant } = desk;
  const path = `/tenants/${tenant.id}/key-pairs`;
  const isBusy = useSignal(false);
  const pairs = useLive(provider, ['key'], tenant.id, async () => {
    const { items } = await provider.control<{ items: KeyPairResource[] }>('GET', path);
    return items;
  });
  const create = async (): Promise<void> => {
    if (isBusy.value) return;
    isBusy.value = true;
    await attempt(async () => {
      const { pairId } = await provider.control<KeyPairResource>('POST', path);
      await pairs.reload();
      announce(`Key pair ${toPairName(pairId)} created`);
    });
    isBusy.value = false;
  };
  return (
    <>
      <Heading
        title="API keys"
        actions={
          <button
            type="button"
            class="button button--primary"
            data-testid="create-pair"
            aria-disabled={isBusy.value}
            onClick={() => void create()}
          >
            Create key pair
          </button>
        }
      >
        The publishable key may stand in a page; the secret key belongs on your server alone.
      </Heading>
      <Loaded live={pairs}>
        {(items) =>
          items.length === 0 ? (
            <Panel title="Key pairs">
              <Empty>
                <p>No key pair yet.</p>
                <p>Create one: the SDK takes its publishable key, your server its secret key.</p>
              </Empty>
            </Panel>
          ) : (
            <>
              {items.toReversed().map((pair) => (
                <Pair key={pair.pairId} desk={desk} pair={pair} />
              ))}
            </>
          )
        }
      </Loaded>
    </>
  );
}

function Pair({ desk, pair }: { desk: Desk; pair: KeyPairResource }): JSX.Element {
  const why = explainPair(pair);
  return (
    <Panel
      title={`Pair ${toPairName(pair.pairId)}`}
      testId="key-pair"
      actions={
        <a href={desk.href({ section: 'sessions', query: { pair: pair.pairId } })}>Its sessions</a>
      }
    >
      <p class="muted">
        Created <When at={pair.publishable.createdAt} nowMs={desk.nowMs} />
      </p>
      {why && <p class="note note--warn">{why}</p>}
      <Key desk={desk} apiKey={pair.publishable} />
      <Key desk={desk} apiKey={pair.secret} />
    </Panel>
  );
}

function Key({ desk, apiKey }: { desk: Desk; apiKey: KeyResource }): JSX.Element {
  const { provider } = desk;
  const { id, kind, value, status } = apiKey;
  const isShown = useSignal(kind === 'publishable');
  const isBusy = useSignal(false);
  const name = `${kind} key`;
  const change = async (to: 'active' | 'paused'): Promise<void> => {
    if (isBusy.value) return;
    isBusy.value = true;
    await attempt(async () => {
      await provider.control('PATCH', `/keys/${id}`, { status: to });
      announce(`The ${name} is ${to}`);
    });
    isBusy.value = false;
  };
  return (
    <div class="key" data-testid={`key-${kind}`} data-status={status}>
      <div class="key__head">
        <h3>{kind === 'publishable' ? 'Publishable key' : 'Secret key'}</h3>
        <Badge tone={KEY_TONES[status]}>{status}</Badge>
      </div>
      <code class="key__value">{isShown.value ? value : maskSecret(value)}</code>
      <div class="row">
        {kind === 'secret' && (
          <button
            type="button"
            class="button button--small"
            data-testid="reveal"
            aria-label={`${isShown.value ? 'Hide' : 'Reveal'} ${name}`}
            onClick={() => (isShown.value = !isShown.value)}
          >
            {isShown.value ? 'Hide' : 'Reveal'}
          </button>
        )}
        <Copy text={value} what={name} />
        {status !== 'revoked' && (
          <>
            <button
              type="button"
              class="button button--small"
              data-testid="pause"
              aria-disabled={isBusy.value}
              aria-label={`${status === 'active' ? 'Pause' : 'Resume'} ${name}`}
              onClick={() => void change(status === 'active' ? 'paused' : 'active')}
            >
              {status === 'active' ? 'Pause' : 'Resume'}
            </button>
            <ConfirmButton
              label="Revoke…"
              name={`Revoke… ${name}`}
              title={`Revoke this ${name}?`}
              confirm="Revoke for good"
              done={`The ${name} is revoked`}
              isSmall
              testId="revoke"
              work={() => provider.control('DELETE', `/keys/${id}`)}
            >
              <p>
                The API answers 401 to <code class="break">{maskSecret(value)}</code> from now on,
                and nothing brings it back. Pause it instead to be able to resume.
              </p>
            </ConfirmButton>
          </>
        )}
      </div>
    </div>
  );
}
