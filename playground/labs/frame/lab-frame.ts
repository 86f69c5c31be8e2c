import { siteUrl } from '../../shared/site.ts';

/** A command of the labs to a frame. */
export type FrameCommand =
  | { readonly do: 'forge'; readonly message: object }
  | {
      readonly do: 'verify';
      readonly apiKey: string;
      readonly returnUrl: string;
      readonly externalUserId: string;
    };

/** A status message of a frame. */
export type FrameReport =
  | { readonly frame: 'ready' }
  | { readonly frame: 'resolved'; readonly result: unknown }
  | { readonly frame: 'rejected'; readonly error: unknown };

export interface LabFrame {
  send(command: FrameCommand): void;
  remove(): void;
}

/** Adds a hidden frame to the page, and resolves once it is listening. */
export function openLabFrame(options: {
  readonly sandbox?: string;
  readonly hear?: (word: FrameReport) => void;
}): Promise<LabFrame> {
  const frame = document.createElement('iframe');
  frame.title = "The lab's frame";
  frame.className = 'visually-hidden';
  frame.tabIndex = -1;
  frame.setAttribute('aria-hidden', 'true');
  if (options.sandbox !== undefined) frame.setAttribute('sandbox', options.sandbox);
  frame.src = siteUrl('labs/frame/');
  return new Promise((resolve) => {
    const onMessage = ({ source, data }: MessageEvent<unknown>): void => {
      if (source !== frame.contentWindow || !isWord(data)) return;
      if (data.frame === 'ready') resolve(handle);
      else options.hear?.(data);
    };
    const handle: LabFrame = {
      send: (command) => frame.contentWindow?.postMessage(command, location.origin),
      remove() {
        window.removeEventListener('message', onMessage);
        frame.remove();
      },
    };
    window.addEventListener('message', onMessage);
    document.body.append(frame);
  });
}

function isWord(value: unknown): value is FrameReport {
  return typeof value === 'object' && value !== null && 'frame' in value;
}
