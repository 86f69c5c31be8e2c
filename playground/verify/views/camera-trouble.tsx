import type { JSX } from 'preact';
import { type CameraProblem, facingFor } from '../camera.ts';
import { Icon } from '../icons.tsx';
import { type Page, translate } from '../page.ts';
import type { Step } from '../steps.ts';
import { HandoffOffer } from './handoff.tsx';

interface TroubleProps {
  readonly page: Page;
  readonly step: Step;
  readonly problem: CameraProblem;
}

/** Why there is no picture, and the ways on. */
export function CameraTrouble({ page, step, problem }: TroubleProps): JSX.Element {
  return (
    <>
      <div class="trouble" role="alert" data-problem={problem}>
        <Icon name="camera-off" />
        <div>
          <h2>{translate(page, `camera_${problem}Title`)}</h2>
          <p>{translate(page, `camera_${problem}`)}</p>
        </div>
      </div>
      {problem !== 'insecure' && (
        <button
          type="button"
          class="button"
          data-testid="camera-retry"
          onClick={() => void page.camera.open(facingFor(step))}
        >
          {translate(page, 'cameraRetry')}
        </button>
      )}
      <HandoffOffer page={page} />
    </>
  );
}
