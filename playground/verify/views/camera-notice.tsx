import type { JSX } from 'preact';
import { Button } from '../../shared/kit/button.tsx';
import { type CameraState, facingFor } from '../camera.ts';
import { Icon } from '../icons.tsx';
import { type Page, isSandbox, translate } from '../page.ts';
import type { Step } from '../steps.ts';
import { HandoffOffer } from './handoff.tsx';

interface CameraNoticeProps {
  readonly page: Page;
  readonly step: Step;
  readonly state: Extract<CameraState, { name: 'problem' }>;
}

/** Explains why there is no camera picture, and offers the alternatives. */
export function CameraNotice({ page, step, state }: CameraNoticeProps): JSX.Element {
  const { problem, isAskedAgain } = state;
  return (
    <>
      <div class="camera-notice" role="alert" data-problem={problem}>
        <Icon name="camera-off" />
        <div>
          {/* The text changes while asking, so that screen readers announce the same problem again. */}
          <h2>{translate(page, isAskedAgain ? 'cameraAsking' : `camera_${problem}Title`)}</h2>
          <p>{translate(page, isAskedAgain ? 'cameraAskingHint' : `camera_${problem}`)}</p>
        </div>
      </div>
      {problem !== 'insecure' && (
        <Button
          variant={isSandbox(page) ? undefined : 'primary'}
          busy={isAskedAgain}
          onPress={() => void page.camera.open(facingFor(step))}
          testId="camera-retry"
        >
          {translate(page, 'cameraRetry')}
        </Button>
      )}
      <HandoffOffer page={page} />
    </>
  );
}
