import type { ScenarioName } from 'ofage/mock';
import type { JSX } from 'preact';
import { Panel } from '../../shared/console/parts.tsx';
import { Button } from '../../shared/kit/button.tsx';
import { ValueChip } from '../../shared/kit/chip.tsx';
import { EmptyState } from '../../shared/kit/empty-state.tsx';
import { attempt } from '../../shared/kit/toast.tsx';
import { useQuery } from '../../shared/old-query.ts';
import { nextOutcomes } from '../queries.ts';
import { LoadedList } from './bits.tsx';
import { OutcomeField } from './choices.tsx';
import type { AppContext } from './app-context.ts';
import { Form } from './form.tsx';
import { useForm } from './use-form.ts';

/** Shows the queue of outcomes, of which each new session takes the first. */
export function NextOutcomes({ context }: { context: AppContext }): JSX.Element {
  const { provider, tenant } = context;
  const { client, live } = provider;
  const { draft, submission, field } = useForm<{ outcomes: ScenarioName }>({
    outcomes: 'verified',
  });
  const chosen = draft.value.outcomes;
  const queue = useQuery(live, tenant.id, nextOutcomes(client, tenant.id));
  const add = (): void =>
    void submission.run(async () => {
      await client.queueNextOutcomes(tenant.id, [chosen]);
      await queue.reload();
    }, `Queued: ${chosen}`);
  const clear = async (): Promise<void> => {
    await attempt(() => client.clearNextOutcomes(tenant.id));
    await queue.reload();
  };
  const none = 'No queued outcomes. Add one to decide how the next session ends.';
  return (
    <Panel
      title="Outcomes of the next sessions"
      testId="next-outcomes"
      actions={
        (queue.data.value?.length ?? 0) > 0 && (
          <Button small onPress={clear}>
            Clear queue
          </Button>
        )
      }
    >
      <LoadedList live={queue} empty={<EmptyState title={none} />}>
        {(queued) => (
          <ol class="tags" aria-label="Queued outcomes, the next one first">
            {queued.map((name, index) => (
              <li key={`${index} ${name}`}>
                <ValueChip>
                  {index + 1}. {name}
                </ValueChip>
              </li>
            ))}
          </ol>
        )}
      </LoadedList>
      <Form submission={submission} submit="Add to queue" onSubmit={add}>
        <OutcomeField context={context} bind={field('outcomes')} testId="next-outcome" />
      </Form>
    </Panel>
  );
}
