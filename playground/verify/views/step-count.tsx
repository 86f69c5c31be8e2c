import type { JSX } from 'preact';
import { type Page, translate } from '../page.ts';
import type { Place } from '../steps.ts';

/** Shows the number of the step. The total is left out for the face, because a document may follow. */
export function StepCount({ page, place }: { page: Page; place: Place }): JSX.Element {
  const { index, total } = place;
  return (
    <p class="step-count">
      {translate(page, total > 1 ? 'step' : 'firstStep', { step: index + 1, total })}
    </p>
  );
}
