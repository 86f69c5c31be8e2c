import { NAMESPACE } from './brand.ts';
import type { Fields } from './outcome.ts';

/**
 * Opens the channel between a return page and the page that waits; its name is their secret. Throws
 * in a browser that has no channels.
 */
export const openChannel = (
  sessionId: string,
  listener: (data: Fields) => void,
): BroadcastChannel => {
  const channel = new BroadcastChannel(NAMESPACE + ':' + sessionId);
  channel.addEventListener('message', ({ data }) => listener(data));
  return channel;
};
