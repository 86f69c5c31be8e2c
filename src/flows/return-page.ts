import { RELAY_TYPE } from '../brand.ts';
import { CLOSE_YOURSELF, openChannel } from '../channel.ts';
import { isSupported, toUrl } from '../environment.ts';
import { parseNotice, type Fields, type Notice } from '../outcome.ts';
import { tryTo } from '../try-to.ts';

/** Parameters of a return address. Anyone can type them, so they are a hint and never an authorization. */
export interface ReturnParameters {
  /** The claimed outcome. */
  status: 'verified' | 'failed' | 'cancelled';
  /** Identifies the session. Pass it to your server, which calls validate. */
  sessionId: string;
  /** End of the check, in milliseconds since the epoch. */
  timestamp?: number | undefined;
  /** The identifier given to `verify()`, if any. */
  externalUserId?: string | undefined;
}

/**
 * Reads the parameters that the service appended to `returnUrl`. When a page of the same origin is waiting
 * for this session in `new-tab` mode, it also notifies that page, over a channel that works even if COOP
 * has severed the two windows. The window with the return page is then closed. In `redirect` mode no page
 * waits, so it only returns the parameters. Needs no key and no network. Safe to call on any page. On a
 * server it only returns the parameters of `url`.
 *
 * @param url - the address to read; on a server, with its origin; default: the page's own
 * @returns the untrusted parameters, or `null` if the address has no valid ones
 *
 * @example
 * ```ts
 * import { handleReturn } from 'ofage';
 *
 * const returned = handleReturn();
 * if (returned) {
 *   const answer = await fetch('/age-check/' + returned.sessionId, { method: 'POST' });
 *   console.info(await answer.json()); // the result of validate, not the status in the address
 * }
 * ```
 */
export function handleReturn(url?: string): ReturnParameters | null {
  // A server has no location, so `url` must be complete there. It also has no waiting page to notify.
  const here = isSupported() ? location.href : undefined;
  const read = tryTo(() => {
    const fields: Fields = {};
    // If the merchant's URL already had a parameter of the same name, the last one wins, because the
    // service appends its own.
    toUrl(url || '', here).searchParams.forEach((value, name) => (fields[name] = value));
    fields.timestamp = Number(fields.timestamp);
    const notice = parseNotice(fields);
    if (!notice) return;
    if (here) notifyWaitingPage(notice);
    return Object.assign(notice, { externalUserId: fields.externalUserId as string | undefined });
  });
  return read || null;
}

/**
 * Sends the notice in two ways, because a cross-site frame receives only the message to its window, and an
 * opener that COOP has severed receives only the message on the channel.
 */
function notifyWaitingPage(notice: Notice): void {
  const message = Object.assign({ type: RELAY_TYPE }, notice);
  tryTo(() => {
    // Only the page that waits for this session replies. Any other message is the notice of a second return
    // page of the session and is ignored.
    const channel = openChannel(notice.sessionId, (data) => {
      if ((data as unknown) === CLOSE_YOURSELF) window.close();
    });
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has one origin
    channel.postMessage(message);
    setTimeout(() => channel.close(), 3000);
  });
  // The message is addressed to our own origin, so that an opener of another origin receives nothing.
  // Throws if there is no opener, or if our origin is opaque and cannot be addressed.
  tryTo(() => (window.opener as Window).postMessage(message, location.origin));
}
