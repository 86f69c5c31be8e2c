import type { JSX } from 'preact';
import { Icon } from '../icons.tsx';
import { type Page, formatInstant, translate, translateCount } from '../page.ts';
import type { Place } from '../steps.ts';
import { Heading } from './heading.tsx';

/** The shopper was away, and comes back to where they were. */
export function Resume({ page, place }: { page: Page; place: Place }): JSX.Element {
  const session = page.flow.session.value;
  const next = translate(page, `${place.step}Title`);
  return (
    <div class="center">
      <span class="seal seal--calm">
        <Icon name="pause" />
      </span>
      <div>
        {place.total > 1 && (
          <p class="step-count">
            {translate(page, 'step', { step: place.index + 1, total: place.total })}
          </p>
        )}
        <Heading>{translate(page, 'resumeTitle')}</Heading>
        <p class="lead">{translate(page, 'resumeHint', { next })}</p>
        {session && (
          <p class="lead">
            {translate(page, 'openUntil', {
              time: formatInstant(page, session.expiresAt, { timeStyle: 'short' }),
            })}
          </p>
        )}
      </div>
      <button type="button" class="button" data-testid="resume" onClick={() => page.flow.resume()}>
        {translate(page, 'resume')}
      </button>
    </div>
  );
}

/** The picture was not usable: what helps, and the same picture again on the same session. */
export function Retake({ page }: { page: Page }): JSX.Element {
  const left = page.flow.session.value?.retriesLeft ?? 0;
  return (
    <>
      <div>
        <Heading>{translate(page, 'retakeTitle')}</Heading>
        <p class="lead">{translateCount(page, 'retakesLeft', left)}</p>
      </div>
      <ul class="what">
        <li>
          <Icon name="sun" />
          <span>{translate(page, 'tipLight')}</span>
        </li>
        <li>
          <Icon name="still" />
          <span>{translate(page, 'tipStill')}</span>
        </li>
        <li>
          <Icon name="sparkle" />
          <span>{translate(page, 'tipClean')}</span>
        </li>
      </ul>
      <button
        type="button"
        class="button"
        data-testid="retake"
        onClick={() => void page.flow.retake()}
      >
        {translate(page, 'retake')}
      </button>
    </>
  );
}
