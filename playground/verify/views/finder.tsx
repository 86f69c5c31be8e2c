import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { CameraState } from '../camera.ts';
import { type Page, translate } from '../page.ts';
import type { Place } from '../steps.ts';

type Shown = Exclude<CameraState, { name: 'problem' }>;

/** Shows the camera's picture with an outline for the face or the document. */
export function Finder(props: { page: Page; place: Place; camera: Shown }): JSX.Element {
  const { page, place, camera } = props;
  const isLive = camera.name === 'live';
  // A document is scanned, and a face is not.
  const isDocument = place.step === 'front' || place.step === 'back';
  return (
    <div class={isLive ? 'finder finder--live' : 'finder'}>
      {isLive && (
        <Preview page={page} stream={camera.stream} isMirrored={camera.facing === 'user'} />
      )}
      <Scene place={place} isOutlineOnly={isLive} />
      {isDocument && camera.name !== 'asking' && camera.name !== 'off' && (
        <span class="finder__beam" />
      )}
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

interface SceneProps {
  readonly place: Place;
  readonly isOutlineOnly: boolean;
}

/** The outline and the drawing inside it. Both fit into a picture of any shape. */
function Scene({ place, isOutlineOnly }: SceneProps): JSX.Element {
  const { step, document } = place;
  if (step !== 'front' && step !== 'back') return <FaceScene isOutlineOnly={isOutlineOnly} />;
  // A page of a passport is narrower than a card.
  const [x, width] = document === 'passport' ? [9, 82] : [4, 92];
  return (
    <svg viewBox="0 0 100 66" aria-hidden="true">
      {!isOutlineOnly && (
        <>
          <rect class="finder__shape" x={x + 3} y="7" width={width - 6} height="52" rx="3" />
          <path class="finder__shape" d={step === 'front' ? FRONT : BACK} />
        </>
      )}
      <rect class="finder__outline" x={x} y="4" width={width} height="58" rx="5" />
    </svg>
  );
}

/** The portrait and three lines of text. */
const FRONT =
  'M18 17a2 2 0 0 1 2-2h16a2 2 0 0 1 2 2v26H18zM46 17h34v4.5H46zM46 28h34v4.5H46zM46 39h22v4.5H46z';
/** The stripe, a field and three lines of text. */
const BACK =
  'M10 14h80v8H10zM18 28h40v4H18zM18 38h60v2.6H18zM18 43.6h60v2.6H18zM18 49.2h60v2.6H18z';

function FaceScene({ isOutlineOnly }: { isOutlineOnly: boolean }): JSX.Element {
  return (
    <svg viewBox="0 0 48 60" aria-hidden="true">
      {!isOutlineOnly && (
        <>
          {/* The path continues below the drawing, so that the shoulders end at the edge of the picture. */}
          <path class="finder__shape" d="M-10 120V72c3-13 16-19 34-19s31 6 34 19v48z" />
          <ellipse class="finder__shape" cx="24" cy="29" rx="14" ry="18.5" />
        </>
      )}
      <ellipse class="finder__outline" cx="24" cy="30" rx="20" ry="26" />
    </svg>
  );
}
