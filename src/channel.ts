import { NAMESPACE } from './brand.ts';
import type { Fields } from './outcome.ts';

/**
 * Opens the channel between the return page and the waiting page. Its name contains the session id, so that
 * pages which wait for another session do not receive its messages. Throws in a browser without
 * BroadcastChannel.
 */
export const openChannel = (
  sessionId: string,
  listener: (data: Fields) => void,
): BroadcastChannel => {
  const channel = new BroadcastChannel(NAMESPACE + ':' + sessionId);
  channel.addEventListener('message', ({ data }) => listener(data));
  return channel;
};
