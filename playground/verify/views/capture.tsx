import type { JSX } from 'preact';
import { Button } from '../../shared/kit/button.tsx';
import { ChoiceField } from '../../shared/kit/choice-field.tsx';
import { type CameraState, facingFor } from '../camera.ts';
import { Icon } from '../icons.tsx';
import { type Page, isSandbox, translate, translateStep } from '../page.ts';
import { DOCUMENTS, type Place } from '../steps.ts';
import { Finder } from './finder.tsx';
import { HandoffButton } from './handoff.tsx';
import { Heading } from './heading.tsx';
import { StepCount } from './step-count.tsx';

/** Simulates taking a picture: the preview is real, but no frame of it is ever read. */
export function Capture({ page, place }: { page: Page; place: Place }): JSX.Element {
  const { step, index } = place;
  const camera = page.camera.state.value;
  const hasTrouble = camera.name === 'problem';
  const canRetry = hasTrouble && !isInsecure(camera);
  const isBelow = index > 0 && step === 'front';
  return (
    <div class="step" data-testid="camera" data-camera={camera.name}>
      <div class="step__text">
        <StepCount page={page} place={place} />
        <Heading part={hasTrouble}>{translateStep(page, place, 'Title')}</Heading>
        {isBelow && <p class="lead">{translate(page, 'below')}</p>}
        {!isBelow && !hasTrouble && <p class="lead">{translateStep(page, place, 'Hint')}</p>}
        {step === 'front' && <DocumentChoice page={page} place={place} />}
      </div>
      <div class="step__media">
        {hasTrouble ? (
          <CameraAlert page={page} trouble={camera} />
        ) : (
          <Finder page={page} place={place} camera={camera} />
        )}
      </div>
      <div class="step__actions">
        {isInsecure(camera) && <CaptureButton page={page} camera={camera} />}
        {canRetry && (
          <Button
            variant="primary"
            busy={camera.isAskedAgain}
            onPress={() => void page.camera.open(facingFor(step))}
            testId="camera-retry"
          >
            {translate(page, 'cameraRetry')}
          </Button>
        )}
        {hasTrouble && <HandoffButton page={page} />}
        {!isInsecure(camera) && <CaptureButton page={page} camera={camera} />}
        {!hasTrouble && (
          <p class="note">
            <Icon name="lock" />
            {translate(page, 'noUpload')}
          </p>
        )}
      </div>
    </div>
  );
}

/** Tells whether no attempt can get the camera, so that the shopper has to continue without it. */
const isInsecure = (camera: CameraState): boolean =>
  camera.name === 'problem' && camera.problem === 'insecure';

function DocumentChoice({ page, place }: { page: Page; place: Place }): JSX.Element {
  return (
    <ChoiceField
      label={translate(page, 'document')}
      options={DOCUMENTS.map((value) => ({ value, text: translate(page, `document_${value}`) }))}
      value={place.document}
      onValue={(document) => page.flow.chooseDocument(document)}
      testId="document"
    />
  );
}

/** Explains why there is no camera picture. */
function CameraAlert(props: {
  page: Page;
  trouble: Extract<CameraState, { name: 'problem' }>;
}): JSX.Element {
  const { page, trouble } = props;
  const { problem, isAskedAgain } = trouble;
  return (
    <div class="camera-alert" role="alert" data-problem={problem}>
      <Icon name="camera-off" />
      <div>
        {/* The text changes while asking, so that screen readers announce the same problem again. */}
        <h2>{translate(page, isAskedAgain ? 'cameraAsking' : `camera_${problem}Title`)}</h2>
        <p>{translate(page, isAskedAgain ? 'cameraAskingHint' : `camera_${problem}`)}</p>
      </div>
    </div>
  );
}

/**
 * Shows the button that takes the picture. It is always available, so that a shopper without a working
 * camera can continue. In the sandbox, where no picture is used, this way is marked as part of the sandbox.
 */
function CaptureButton({ page, camera }: { page: Page; camera: CameraState }): JSX.Element {
  const isReady = camera.name === 'live' || camera.name === 'simulated';
  const take = (event: MouseEvent): void => {
    // Ignores the second click of a double click, because the shopper cannot have turned the document over
    // yet.
    if (event.detail > 1) return;
    if (!isReady) page.camera.simulate();
    void page.flow.captured();
  };
  const isPrimary = isReady || isInsecure(camera);
  const isOfSandbox = !isReady && isSandbox(page);
  return (
    <Button
      variant={isPrimary ? 'primary' : undefined}
      class={isOfSandbox && !isPrimary ? 'button--sandbox' : undefined}
      onPress={take}
      testId="capture"
    >
      {isOfSandbox && <span class="chip tone--warn">{translate(page, 'sandbox')}</span>}
      <span>{translate(page, isReady ? 'capture' : 'withoutCamera')}</span>
    </Button>
  );
}
