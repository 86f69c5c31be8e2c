import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const FOLDER = join(import.meta.dirname, '../../../playground/verify');

/** Browser APIs that could read, record or transmit camera frames. */
const READS_FRAMES =
  /getContext|drawImage|ImageCapture|MediaRecorder|MediaStreamTrackProcessor|captureStream|createImageBitmap|VideoFrame|toDataURL|toBlob|RTCPeerConnection/;

it('the code of the hosted page mentions no API that could read, record or send camera frames', () => {
  const files = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /\.tsx?$/.test(name),
  );
  expect(files).toContain('camera.ts');
  const reading = files.filter((name) =>
    READS_FRAMES.test(readFileSync(join(FOLDER, name), 'utf8')),
  );
  expect(reading).toEqual([]);
});
