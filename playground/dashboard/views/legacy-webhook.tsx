import { useSignal } from '@preact/signals';
import type { EventKind, LegacyWebhookResource } from 'ofage/mock';
import type { JSX } from 'preact';
import { Panel } from '../../shared/console/parts.tsx';
import { EVENT_KINDS } from '../../shared/event-kinds.ts';
import { Button } from '../../shared/kit/button.tsx';
import { Chip } from '../../shared/kit/chip.tsx';
import { Dialog } from '../../shared/kit/dialog.tsx';
import { TextField } from '../../shared/kit/text-field.tsx';
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
        <Button
          onPress={() => {
            shown.value = null;
            isEditing.value = true;
          }}
          testId="edit-legacy"
        >
          {live.data.value?.legacy ? 'Edit legacy webhook' : 'Set up'}
        </Button>
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
      <Dialog
        title="Legacy webhook"
        isOpen={isEditing}
        dismiss={shown.value === null ? 'Cancel' : null}
      >
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
  const migrate = (): Promise<boolean> =>
    migration.run(async () => {
      await desk.provider.control('POST', `${path}/migrate`);
      onMigrated();
      await live.reload();
    }, 'Migrated: it is an endpoint now');
  const { url, isActive, health, productionRefusal } = legacy;
  return (
    <>
      <p class="row">
        <Chip tone={STATE_TONES[health.state]}>{health.state}</Chip>
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
        <Button look="primary" onPress={migrate} testId="migrate">
          Migrate to Endpoint
        </Button>
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
      <TextField
        label="URL"
        error={problems.of('url')}
        inputMode="url"
        verbatim
        bind={url}
        testId="legacy-url"
      />
      <EventChoice events={events} error={problems.of('events')} />
    </Form>
  );
}
