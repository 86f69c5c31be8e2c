import { useSignal } from '@preact/signals';
import type { EventKind, LegacyWebhookResource } from 'ofage/mock';
import type { JSX } from 'preact';
import { Badge, Dialog, Field, Panel } from '../../shared/console/parts.tsx';
import { EVENT_KINDS } from '../../shared/event-kinds.ts';
import { explainState, STATE_TONES } from '../endpoint-view.ts';
import { findLegacyWebhook } from '../find-legacy-webhook.ts';
import { Loaded } from './bits.tsx';
import { ConfirmButton } from './confirm.tsx';
import type { Desk } from './desk.ts';
import { HealthFacts } from './endpoint-card.tsx';
import { EventChoice, SecretOnce } from './endpoint-form.tsx';
import { Form, FormProblems, useSubmission } from './form.tsx';
import { type Live, useLive } from './use-live.ts';

/** The single webhook of older accounts, and the way from there to endpoints. */
export function LegacyWebhook(props: { desk: Desk; onMigrated: () => void }): JSX.Element {
  const { desk, onMigrated } = props;
  const isEditing = useSignal(false);
  // In a box of its own, because null is a good answer.
  const live = useLive(
    desk.provider,
    ['endpoint', 'delivery', 'clock'],
    desk.tenant.id,
    async () => ({ legacy: await findLegacyWebhook(desk.provider, desk.tenant.id) }),
  );
  const shown = useSignal<string | null>(null);
  return (
    <Panel
      title="Legacy webhook"
      testId="legacy"
      actions={
        <button
          type="button"
          class="button"
          data-testid="edit-legacy"
          onClick={() => {
            shown.value = null;
            isEditing.value = true;
          }}
        >
          {live.data.value?.legacy ? 'Edit legacy webhook' : 'Set up'}
        </button>
      }
    >
      <Loaded live={live}>
        {({ legacy }) =>
          legacy ? (
            <Known desk={desk} legacy={legacy} live={live} onMigrated={onMigrated} />
          ) : (
            <p class="muted">
              Accounts of older integrations have one webhook in the place of endpoints. This one
              has none; set one up to try the migration.
            </p>
          )
        }
      </Loaded>
      <Dialog title="Legacy webhook" isOpen={isEditing}>
        {shown.value === null ? (
          <LegacyForm
            desk={desk}
            legacy={live.data.value?.legacy ?? null}
            onDone={(secret) => {
              void live.reload();
              if (secret === null) isEditing.value = false;
              else shown.value = secret;
            }}
          />
        ) : (
          <SecretOnce secret={shown.value} onDone={() => (isEditing.value = false)} />
        )}
      </Dialog>
    </Panel>
  );
}

function Known(props: {
  desk: Desk;
  legacy: LegacyWebhookResource;
  live: Live<unknown>;
  onMigrated: () => void;
}): JSX.Element {
  const { desk, legacy, live, onMigrated } = props;
  const path = `/tenants/${desk.tenant.id}/legacy-webhook`;
  const migration = useSubmission();
  const migrate = (): void => {
    if (migration.isBusy.value) return;
    void migration.run(async () => {
      await desk.provider.control('POST', `${path}/migrate`);
      onMigrated();
      await live.reload();
    }, 'Migrated: it is an endpoint now');
  };
  const { url, isActive, health, productionRefusal } = legacy;
  return (
    <>
      <p class="row">
        <Badge tone={STATE_TONES[health.state]}>{health.state}</Badge>
        <span class="mono break">{url}</span>
      </p>
      <p>
        {isActive
          ? explainState(health)
          : 'It gets nothing, because the account has endpoints, which take its place.'}
      </p>
      {productionRefusal && (
        <p class="note note--warn">
          Only this mock takes the address. Production would say: “{productionRefusal}”
        </p>
      )}
      <HealthFacts desk={desk} health={health} />
      <FormProblems submission={migration} />
      <div class="row">
        <button
          type="button"
          class="button button--primary"
          data-testid="migrate"
          aria-disabled={migration.isBusy.value}
          onClick={migrate}
        >
          Migrate to Endpoint
        </button>
        <ConfirmButton
          label="Delete legacy webhook…"
          title="Delete the legacy webhook?"
          confirm="Delete legacy webhook"
          done="Legacy webhook deleted"
          work={async () => {
            await desk.provider.control('DELETE', path);
            await live.reload();
          }}
        >
          <p>It gets nothing any more, and what still waits for it is cancelled.</p>
        </ConfirmButton>
      </div>
    </>
  );
}

function LegacyForm(props: {
  desk: Desk;
  legacy: LegacyWebhookResource | null;
  /** With the secret, when it is a new one. */
  onDone: (secret: string | null) => void;
}): JSX.Element {
  const { desk, legacy, onDone } = props;
  const url = useSignal(legacy?.url ?? '');
  const events = useSignal<readonly EventKind[]>(legacy?.events ?? EVENT_KINDS);
  const submission = useSubmission(['url', 'events']);
  const problems = submission.problems.value;
  const save = (): void =>
    void submission.run(async () => {
      const saved = await desk.provider.control<LegacyWebhookResource>(
        'PUT',
        `/tenants/${desk.tenant.id}/legacy-webhook`,
        { url: url.value.trim(), events: events.value },
      );
      onDone(legacy ? null : (saved.secret ?? null));
    }, 'Legacy webhook saved');
  return (
    <Form submission={submission} submit="Save legacy webhook" onSubmit={save}>
      <Field label="URL" problem={problems.of('url')}>
        {(ids) => (
          <input
            {...ids}
            class="input"
            data-testid="legacy-url"
            inputMode="url"
            autocomplete="off"
            autocapitalize="none"
            spellcheck={false}
            value={url.value}
            onInput={(event) => (url.value = event.currentTarget.value)}
          />
        )}
      </Field>
      <EventChoice events={events} problem={problems.of('events')} />
    </Form>
  );
}
