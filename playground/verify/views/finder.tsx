import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { CameraState } from '../camera.ts';
import { type Page, translate } from '../page.ts';
import type { Step } from '../steps.ts';

type Shown = Exclude<CameraState, { name: 'problem' }>;

/** Shows the camera's picture with an outline for the face or the document. */
export function Finder(props: { page: Page; step: Step; camera: Shown }): JSX.Element {
  const { page, step, camera } = props;
  const isLive = camera.name === 'live';
  return (
    <div class={isLive ? 'finder finder--live' : 'finder'}>
      {isLive && (
        <Preview page={page} stream={camera.stream} isMirrored={camera.facing === 'user'} />
      )}
      <Scene step={step} isOutlineOnly={isLive} />
      {camera.name !== 'asking' && camera.name !== 'off' && <span class="finder__beam" />}
      {/* Always rendered, because screen readers announce only changes inside it. */}
      <p class="finder__note" role="status">
        {camera.name === 'simulated' && translate(page, 'simulated')}
        {camera.name === 'asking' && (
          <>
            {translate(page, 'cameraAsking')}
            <br />
            {translate(page, 'cameraAskingHint')}
          </>
        )}
      </p>
    </div>
  );
}

function Preview(props: { page: Page; stream: MediaStream; isMirrored: boolean }): JSX.Element {
  const { page, stream, isMirrored } = props;
  const video = useRef<HTMLVideoElement>(null);
  useEffect(() => {
    if (video.current) video.current.srcObject = stream;
  }, [stream]);
  return (
    <video
      ref={video}
      class={isMirrored ? 'finder__video finder__video--mirrored' : 'finder__video'}
      aria-label={translate(page, 'preview')}
      autoplay
      muted
      playsInline
    />
  );
}

function Scene({ step, isOutlineOnly }: { step: Step; isOutlineOnly: boolean }): JSX.Element {
  if (step === 'front' || step === 'back') {
    return (
      <svg viewBox="0 0 80 60" aria-hidden="true">
        {!isOutlineOnly && (
          <>
            <rect class="finder__shape" x="15" y="15" width="50" height="31" rx="3" />
            {step === 'front' ? (
              <path
                class="finder__shape"
                d="M20 22.5a1.5 1.5 0 0 1 1.5-1.5h9a1.5 1.5 0 0 1 1.5 1.5v14h-12zM37 22h22v3H37zM37 29h22v3H37zM37 36h14v3H37z"
              />
            ) : (
              <path
                class="finder__shape"
                d="M15 20h50v5H15zM20 29h26v2.5H20zM20 35h40v1.6H20zM20 38.4h40V40H20zM20 41.8h40v1.6H20z"
              />
            )}
          </>
        )}
        <rect class="finder__outline" x="12" y="12" width="56" height="37" rx="4" />
      </svg>
    );
  }
  return (
    <svg viewBox="0 0 80 60" preserveAspectRatio="xMidYMax slice" aria-hidden="true">
      {!isOutlineOnly && (
        <>
          <path class="finder__shape" d="M18 60c2-11 11-15 22-15s20 4 22 15z" />
          <ellipse class="finder__shape" cx="40" cy="27" rx="11" ry="14.5" />
        </>
      )}
      <ellipse class="finder__outline" cx="40" cy="28" rx="15.5" ry="20" />
    </svg>
  );
}
