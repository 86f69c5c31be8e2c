import { useSignal } from '@preact/signals';
import type { LegacyWebhookResource } from 'ofage/mock';
import type { JSX } from 'preact';
import { Panel } from '../../shared/console/parts.tsx';
import { EVENT_KINDS } from 'ofage/mock/client';
import { Button } from '../../shared/kit/button.tsx';
import { Chip } from '../../shared/kit/chip.tsx';
import { Dialog } from '../../shared/kit/dialog.tsx';
import { TextField } from '../../shared/kit/text-field.tsx';
import type { LiveQuery } from '../../shared/old-query.ts';
import { useQuery } from '../../shared/old-query.ts';
import { explainState, toShownState, toStateTone } from '../endpoint-view.ts';
import { legacyWebhook } from '../queries.ts';
import { Loaded } from './bits.tsx';
import { ConfirmButton } from './confirm.tsx';
import type { AppContext } from './app-context.ts';
import { EventChoice } from './choices.tsx';
import { SecretOnce } from './endpoint-form.tsx';
import { Form, FormProblems, useSubmission } from './form.tsx';
import { useForm } from './use-form.ts';
import { HealthFacts, ProductionRefusal } from './webhook-health.tsx';

/** Shows the single webhook of older accounts and migrates it to an endpoint. */
export function LegacyWebhook({ context }: { context: AppContext }): JSX.Element {
  const isEditing = useSignal(false);
  const { client, live: mirror } = context.provider;
  const live = useQuery(mirror, context.tenant.id, legacyWebhook(client, context.tenant.id));
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
          {live.data.value?.legacy ? 'Edit legacy webhook' : 'Set up legacy webhook'}
        </Button>
      }
    >
      <Loaded live={live}>
        {({ legacy }) =>
          legacy ? (
            <LegacyDetails context={context} legacy={legacy} live={live} />
          ) : (
            <p class="muted">
              Older accounts have a single webhook instead of endpoints. Set one up to try the
              migration.
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
            context={context}
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

function LegacyDetails(props: {
  context: AppContext;
  legacy: LegacyWebhookResource;
  live: LiveQuery<unknown>;
}): JSX.Element {
  const { context, legacy, live } = props;
  const { client } = context.provider;
  const migration = useSubmission();
  const migrate = (): Promise<boolean> =>
    migration.run(async () => {
      await client.migrateLegacyWebhook(context.tenant.id);
      await live.reload();
    }, 'Migrated to an endpoint');
  const { url, isActive, health, productionRefusal } = legacy;
  return (
    <>
      <p class="row">
        <Chip tone={toStateTone(health)}>{toShownState(health)}</Chip>
        <span class="mono">{url}</span>
      </p>
      <p>
        {isActive ? explainState(health) : 'No events are sent, because the account has endpoints.'}
      </p>
      <ProductionRefusal refusal={productionRefusal} />
      <HealthFacts context={context} health={health} />
      <FormProblems submission={migration} />
      <div class="row">
        <Button onPress={migrate} testId="migrate">
          Migrate to endpoint
        </Button>
        <ConfirmButton
          label="Delete legacy webhook…"
          title="Delete the legacy webhook?"
          confirm="Delete legacy webhook"
          done="Legacy webhook deleted"
          work={async () => {
            await client.deleteLegacyWebhook(context.tenant.id);
            await live.reload();
          }}
        >
          <p>It gets no more events, and its queued deliveries are cancelled.</p>
        </ConfirmButton>
      </div>
    </>
  );
}

type Draft = Pick<LegacyWebhookResource, 'url' | 'events'>;

function LegacyForm(props: {
  context: AppContext;
  legacy: LegacyWebhookResource | null;
  /** Called after a save, with the signing secret if the webhook is new. */
  onDone: (secret: string | null) => void;
}): JSX.Element {
  const { context, legacy, onDone } = props;
  const { url = '', events = EVENT_KINDS } = legacy ?? {};
  const { draft, submission, field } = useForm<Draft>({ url, events });
  const save = (): void =>
    void submission.run(async () => {
      const saved = await context.provider.client.putLegacyWebhook(context.tenant.id, {
        url: draft.value.url.trim(),
        events: [...draft.value.events],
      });
      onDone(legacy ? null : (saved.secret ?? null));
    }, 'Legacy webhook saved');
  return (
    <Form submission={submission} submit="Save legacy webhook" onSubmit={save} isPrimary>
      <TextField label="URL" inputMode="url" verbatim bind={field('url')} testId="legacy-url" />
      <EventChoice bind={field('events')} />
    </Form>
  );
}
