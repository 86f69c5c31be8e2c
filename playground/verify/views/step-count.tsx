import type { JSX } from 'preact';
import { type Page, translate } from '../page.ts';
import { type Place, stepsFor } from '../steps.ts';

/** Shows the number of the step. If the face alone may be enough, the total is the most that may follow. */
export function StepCount({ page, place }: { page: Page; place: Place }): JSX.Element {
  const { index, total, document } = place;
  const session = page.flow.session.value;
  const most = session ? stepsFor(session, false, document).length : total;
  return (
    <p class="step-count">
      {most > total
        ? translate(page, 'firstStep', { step: index + 1, total: most })
        : translate(page, 'step', { step: index + 1, total })}
      <span class="step-count__bar" aria-hidden="true">
        {Array.from({ length: most > total ? most : total }, (_, at) => (
          <i key={at} class={at <= index ? 'step-count__part--done' : undefined} />
        ))}
      </span>
    </p>
  );
}
