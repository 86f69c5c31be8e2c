import type { JSX } from 'preact';
import { Button } from '../../shared/kit/button.tsx';
import { Icon } from '../icons.tsx';
import { type Page, translate, translateCount, translateStep } from '../page.ts';
import type { Place } from '../steps.ts';
import { Drawing } from './finder.tsx';
import { Heading } from './heading.tsx';
import { StepCount } from './step-count.tsx';

/** Shown when the shopper comes back to the page in the middle of the check. */
export function Resume({ page, place }: { page: Page; place: Place }): JSX.Element {
  const next = translateStep(page, place, 'Title');
  return (
    <div class="step">
      <div class="center">
        <span class="seal tone--accent">
          <Icon name="play" />
        </span>
        <div>
          <StepCount page={page} place={place} />
          <Heading>{translate(page, 'resumeTitle')}</Heading>
          <p class="lead">{translate(page, 'resumeHint', { next })}</p>
        </div>
      </div>
      <div class="step__actions">
        <Button variant="primary" onPress={() => page.flow.resume()} testId="resume">
          {translate(page, 'resume')}
        </Button>
      </div>
    </div>
  );
}

/**
 * Shown after an unusable picture: advice, and a button to retake it in the same session. The blurred picture
 * is a drawing, because no frame of the camera is ever read.
 */
export function Retake({ page, place }: { page: Page; place: Place }): JSX.Element {
  const left = page.flow.session.value?.retriesLeft ?? 0;
  return (
    <div class="step">
      <div class="step__text step__text--hero">
        <div class="blurred">
          <Drawing step={place.step} />
        </div>
        <Heading>{translate(page, 'retakeTitle')}</Heading>
        <p class="lead">{translateCount(page, 'retakesLeft', left)}</p>
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
      </div>
      <div class="step__actions">
        <Button variant="primary" onPress={() => void page.flow.retake()} testId="retake">
          {translate(page, 'retake')}
        </Button>
      </div>
    </div>
  );
}
