import type { EventKind, ScenarioName } from 'ofage/mock';
import { EVENT_KINDS } from 'ofage/mock/client';
import type { JSX } from 'preact';
import { CheckField } from '../../shared/kit/check-field.tsx';
import { type Bound, FieldError } from '../../shared/kit/field.tsx';
import { SelectField } from '../../shared/kit/select-field.tsx';
import { useQuery } from '../../shared/old-query.ts';
import { scenarios } from '../queries.ts';
import type { AppContext } from './app-context.ts';

/** Shows a select field with the outcomes of the catalogue. */
export function OutcomeField(props: {
  context: AppContext;
  bind: Bound<ScenarioName>;
  /** True to show the description of the chosen outcome. */
  isExplained?: boolean;
  testId: string;
}): JSX.Element {
  const { context, bind, isExplained = false, testId } = props;
  const { client, live } = context.provider;
  const catalogue = useQuery(live, '', scenarios(client)).data.value ?? [];
  const chosen = catalogue.find(({ name }) => name === bind.value);
  return (
    <SelectField
      label="Outcome"
      hint={isExplained ? chosen?.description : undefined}
      options={catalogue.map(({ name, title }) => ({
        value: name,
        text: toOptionText(name, title),
      }))}
      bind={bind}
      testId={testId}
    />
  );
}

/** Adds the name in the API to the title, unless they are the same word. */
function toOptionText(name: ScenarioName, title: string): string {
  return title.toLowerCase() === name ? title : `${title} (${name})`;
}

/** Shows checkboxes for the events that a webhook receives. */
export function EventChoice({ bind }: { bind: Bound<readonly EventKind[]> }): JSX.Element {
  const toggle = (kind: EventKind, isChosen: boolean): void => {
    bind.value = EVENT_KINDS.filter((one) => (one === kind ? isChosen : bind.value.includes(one)));
  };
  return (
    <fieldset class="events">
      <legend class="field__label">Events</legend>
      {EVENT_KINDS.map((kind) => (
        <CheckField
          key={kind}
          label={<code>{kind}</code>}
          value={bind.value.includes(kind)}
          onValue={(isChosen) => toggle(kind, isChosen)}
          testId={`event-${kind}`}
        />
      ))}
      <FieldError error={bind.error} />
    </fieldset>
  );
}
