import type { JSX } from 'preact';
import { Button } from '../../shared/kit/button.tsx';
import type { CameraState } from '../camera.ts';
import { Icon } from '../icons.tsx';
import type { MessageKey } from '../messages/index.ts';
import { type Page, translate } from '../page.ts';
import type { Place } from '../steps.ts';
import { CameraTrouble } from './camera-trouble.tsx';
import { Finder } from './finder.tsx';
import { Heading } from './heading.tsx';

/** Simulates taking a picture: the preview is real, but no frame of it is ever read. */
export function Capture({ page, place }: { page: Page; place: Place }): JSX.Element {
  const t = (key: MessageKey, values?: Record<string, number>) => translate(page, key, values);
  const { step, index, total } = place;
  const camera = page.camera.state.value;
  const hasTrouble = camera.name === 'problem';
  return (
    <>
      <div>
        {total > 1 && <p class="step-count">{t('step', { step: index + 1, total })}</p>}
        <Heading part={hasTrouble}>{t(`${step}Title`)}</Heading>
        {index > 0 && step === 'front' && <p class="lead">{t('below')}</p>}
        {!hasTrouble && <p class="lead">{t(`${step}Hint`)}</p>}
      </div>
      <div class="stack" data-testid="camera" data-camera={camera.name}>
        {hasTrouble ? (
          <CameraTrouble page={page} step={step} trouble={camera} />
        ) : (
          <Finder page={page} step={step} camera={camera} />
        )}
        <CaptureButton page={page} camera={camera} />
      </div>
      {!hasTrouble && (
        <p class="note">
          <Icon name="lock" />
          {t('noUpload')}
        </p>
      )}
    </>
  );
}

/** Always available, so that a shopper without a working camera can continue. */
function CaptureButton({ page, camera }: { page: Page; camera: CameraState }): JSX.Element {
  const isReady = camera.name === 'live' || camera.name === 'simulated';
  const take = (event: MouseEvent): void => {
    // Ignores the second click of a double click, because the shopper cannot have turned the document over
    // yet.
    if (event.detail > 1) return;
    if (!isReady) page.camera.simulate();
    void page.flow.captured();
  };
  const isLate = !isReady && camera.name !== 'problem';
  return (
    <Button
      variant={isReady ? 'primary' : undefined}
      class={isLate ? 'button--late' : undefined}
      onPress={take}
      testId="capture"
    >
      {translate(page, isReady ? 'capture' : 'withoutCamera')}
    </Button>
  );
}
