import type { Attempt, Ending } from './attempt.ts';
import { NAMESPACE, RELAY_TYPE } from './brand.ts';
import { parseNotice, type Fields } from './outcome.ts';
import { tryTo } from './try-to.ts';

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

/**
 * Creates a function that ends the attempt when it is called with an outcome of the session: a message of
 * the given type, whose data may be anything, including null.
 */
export const outcomeReader =
  (attempt: Attempt, sessionId: string) =>
  (data: Fields, type: string): void => {
    const notice = tryTo(() => data.type === type && parseNotice(data));
    if (!notice || notice.sessionId !== sessionId) return;
    const isCancelled = notice.status === 'cancelled';
    // A shopper who cancels in an earlier window may continue in the current one.
    if (isCancelled && sessionId !== attempt._result.sessionId) return;
    attempt._finish(Object.assign(isCancelled ? { reason: 'user' } : {}, notice) as Ending);
  };

/** The reply that makes the return page close its own window, which the waiting page may be unable to close. */
export const CLOSE_YOURSELF = 0;

/** Ends the attempt when the return page of the session reports its outcome on the channel. */
export const awaitReturn = (attempt: Attempt, sessionId: string): void => {
  const read = outcomeReader(attempt, sessionId);
  tryTo(() => {
    const channel = openChannel(sessionId, (data) => {
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has one origin
      channel.postMessage(CLOSE_YOURSELF);
      read(data, RELAY_TYPE);
    });
    attempt._defer(() => channel.close());
  });
};
