import type { JSX } from 'preact';
import { type Page, translate } from '../page.ts';
import type { Place } from '../steps.ts';

/** Shows the number of the step. A face may be followed by a document, so its total is not known. */
export function StepCount({ page, place }: { page: Page; place: Place }): JSX.Element {
  const { index, total } = place;
  return (
    <p class="step-count">
      {translate(page, total > 1 ? 'step' : 'firstStep', { step: index + 1, total })}
    </p>
  );
}
