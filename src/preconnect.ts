import { tryTo } from './try-to.ts';

/** Browsers close an unused connection after about ten seconds. */
const LIFETIME_MS = 10_000;

/** Removes the SDK's only preconnect element on the page, whichever SDK object added it. */
let disconnectLast = (): void => {};

/**
 * Connects to the API before it is needed. Removes the element once browsers have closed the unused
 * connection, and when another SDK object connects.
 *
 * @returns a function that removes the element of this call; undefined on a server
 */
export const preconnect = (href: string): (() => void) | undefined =>
  // There is no `document` on a server.
  tryTo(() => {
    const link = document.createElement('link');
    // A request without credentials can only reuse an anonymous connection.
    Object.assign(link, { rel: 'preconnect', crossOrigin: 'anonymous', href });
    disconnectLast();
    document.head.appendChild(link);
    const timer = setTimeout(() => link.remove(), LIFETIME_MS);
    disconnectLast = () => {
      clearTimeout(timer);
      link.remove();
    };
    return disconnectLast;
  });
