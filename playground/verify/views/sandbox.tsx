import type { JSX } from 'preact';
import { CheckField } from '../../shared/kit/check-field.tsx';
import { SelectField } from '../../shared/kit/select-field.tsx';
import { isMessageKey } from '../messages/index.ts';
import { type Page, isSandbox, translate } from '../page.ts';
import { outcomesFor } from '../steps.ts';

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
      {page.flow.view.value.name === 'capture' && (
        // Makes the next picture unusable, regardless of the outcome.
        <CheckField
          label={translate(page, 'blurred')}
          class="check sandbox__blur"
          bind={page.isBlurred}
          testId="blurred"
        />
      )}
    </aside>
  );
}

function OutcomeChooser({ page }: { page: Page }): JSX.Element | null {
  const session = page.flow.session.value;
  if (!session) return null;
  const { presetOutcome } = session;
  if (presetOutcome !== null) {
    return (
      <p data-testid="preset-outcome" data-outcome={presetOutcome}>
        {translate(page, 'outcomePreset', { outcome: titleOf(page, presetOutcome) })}
      </p>
    );
  }
  return (
    <SelectField
      label={translate(page, 'outcome')}
      class="sandbox__choice"
      options={outcomesFor(session).map((value) => ({ value, text: titleOf(page, value) }))}
      bind={page.outcome}
      testId="outcome"
    />
  );
}

/** Returns the title of a scenario in the page's language. */
function titleOf(page: Page, name: string): string {
  const key = `scenario_${name}`;
  return isMessageKey(key) ? translate(page, key) : name;
}
