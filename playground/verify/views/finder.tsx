import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { CameraState } from '../camera.ts';
import { type Page, translate } from '../page.ts';
import type { Place } from '../steps.ts';

type Shown = Exclude<CameraState, { name: 'problem' }>;

/** Shows the camera's picture, dimmed around a frame for the face or the document. */
export function Finder(props: { page: Page; place: Place; camera: Shown }): JSX.Element {
  const { page, place, camera } = props;
  const isDocument = place.step === 'front' || place.step === 'back';
  const documentFrame = place.document === 'passport' ? 'passport' : 'card';
  const hasPicture = camera.name === 'live' || camera.name === 'simulated';
  return (
    <div class="finder">
      {camera.name === 'live' && (
        <Preview page={page} stream={camera.stream} isMirrored={camera.facing === 'user'} />
      )}
      <div class="finder__stage">
        <div class={`finder__frame finder__frame--${isDocument ? documentFrame : 'face'}`}>
          {camera.name !== 'live' && <Drawing step={place.step} />}
          {/* A document is scanned, and a face is not. */}
          {isDocument && hasPicture && <span class="finder__beam" />}
        </div>
      </div>
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

/** Stands in place of a camera picture. */
export function Drawing({ step }: Pick<Place, 'step'>): JSX.Element {
  const isDocument = step === 'front' || step === 'back';
  return (
    <svg viewBox={isDocument ? '0 0 100 66' : '4 4 40 52'} aria-hidden="true">
      {isDocument ? (
        <path d={step === 'front' ? FRONT : BACK} />
      ) : (
        <>
          {/* The path continues below the drawing, so that the shoulders end at the edge of the picture. */}
          <path d="M-10 120V72c3-13 16-19 34-19s31 6 34 19v48z" />
          <ellipse cx="24" cy="29" rx="14" ry="18.5" />
        </>
      )}
    </svg>
  );
}

/** The portrait and three lines of text. */
const FRONT =
  'M18 17a2 2 0 0 1 2-2h16a2 2 0 0 1 2 2v26H18zM46 17h34v4.5H46zM46 28h34v4.5H46zM46 39h22v4.5H46z';
/** The stripe, a field and three lines of text. */
const BACK =
  'M10 14h80v8H10zM18 28h40v4H18zM18 38h60v2.6H18zM18 43.6h60v2.6H18zM18 49.2h60v2.6H18z';
