import type { JSX } from 'preact';
import { CheckField } from '../../shared/kit/check-field.tsx';
import { SelectField } from '../../shared/kit/select-field.tsx';
import { isMessageKey } from '../messages/index.ts';
import { type Page, isSandbox, translate } from '../page.ts';
import { type Scenario, scenariosFor } from '../scenarios.ts';

/** States that this is a sandbox, and lets a developer choose the outcome. */
export function Sandbox({ page, isOpen }: { page: Page; isOpen: boolean }): JSX.Element | null {
  if (!isSandbox(page)) return null;
  return (
    <aside class="sandbox" data-testid="sandbox-banner" aria-label={translate(page, 'sandbox')}>
      <p class="sandbox__title">
        {translate(page, 'sandbox')}
        <span class="sandbox__note">{translate(page, 'sandboxNote')}</span>
      </p>
      {isOpen && <OutcomeChooser page={page} />}
      {page.flow.view.value.name === 'capture' && <BlurChoice page={page} />}
    </aside>
  );
}

function OutcomeChooser({ page }: { page: Page }): JSX.Element | null {
  const session = page.flow.session.value;
  if (!session) return null;
  const { presetOutcome } = session;
  const preset = presetOutcome !== null && (
    <p data-testid="preset-outcome" data-outcome={presetOutcome}>
      {translate(page, 'outcomePreset', {
        outcome: titleOf(page, { name: presetOutcome, title: presetOutcome }),
      })}
    </p>
  );
  const scenarios = scenariosFor(page.scenarios.value, session);
  return (
    <>
      {preset}
      {presetOutcome === null && scenarios.length > 0 && (
        <OutcomeSelect page={page} scenarios={scenarios} />
      )}
    </>
  );
}

function OutcomeSelect(props: { page: Page; scenarios: readonly Scenario[] }): JSX.Element {
  const { page, scenarios } = props;
  return (
    <SelectField
      label={translate(page, 'outcome')}
      class="sandbox__choice"
      options={scenarios.map((scenario) => ({
        value: scenario.name,
        text: titleOf(page, scenario),
      }))}
      bind={page.outcome}
      testId="outcome"
    />
  );
}

/** Lets a developer make the next picture unusable, regardless of the outcome. */
function BlurChoice({ page }: { page: Page }): JSX.Element {
  return (
    <CheckField
      label={translate(page, 'blurred')}
      class="sandbox__blur"
      bind={page.isBlurred}
      testId="blurred"
    />
  );
}

/**
 * Returns the title of a scenario in the page's language. A scenario that this page does not know has the
 * catalogue's title.
 */
function titleOf(page: Page, { name, title }: Pick<Scenario, 'name' | 'title'>): string {
  const key = `scenario_${name}`;
  return isMessageKey(key) ? translate(page, key) : title;
}
