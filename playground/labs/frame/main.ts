/**
 * The content of the labs' frames: an attacker that posts messages to the surrounding page, or a shop's
 * page in a frame that must not open windows.
 */
import { sdk } from '../../shared/sdk.ts';
import type { FrameCommand, FrameReport } from './lab-frame.ts';

const say = (word: FrameReport): void => parent.postMessage(word, location.origin);

window.addEventListener('message', ({ source, origin, data }: MessageEvent<unknown>) => {
  if (source !== parent || origin !== location.origin) return;
  // The command is not validated, because the surrounding page is part of the same build.
  const command = data as FrameCommand;
  if (command.do === 'forge') parent.postMessage(command.message, location.origin);
  else verify(command);
});
say({ frame: 'ready' });

function verify({ apiKey, returnUrl, externalUserId }: FrameCommand & { do: 'verify' }): void {
  const OfAge = sdk();
  const ofage = new OfAge({ apiKey, returnUrl, mode: 'new-tab' });
  ofage.verify({ externalUserId }).then(
    (result) => say({ frame: 'resolved', result }),
    (error: unknown) => {
      const { code, message, details } = Object(error) as Record<string, unknown>;
      say({ frame: 'rejected', error: { code, message, details } });
    },
  );
}
