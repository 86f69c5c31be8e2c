import { tryTo } from './try-to.ts';

/** Browsers close an unused connection after about ten seconds. */
const LIFETIME_MS = 10_000;

/** The SDK's only preconnect element on the page, shared by all SDK objects. */
let link: HTMLLinkElement | undefined;
let timer: ReturnType<typeof setTimeout> | undefined;

/**
 * Connects to the API before it is needed. Removes the element once browsers have closed the unused
 * connection.
 */
export const preconnect = (href: string): void => {
  // There is no `document` on a server.
  tryTo(() => {
    disconnect();
    link = document.createElement('link');
    // A request without credentials can only reuse an anonymous connection.
    Object.assign(link, { rel: 'preconnect', crossOrigin: 'anonymous', href });
    document.head.appendChild(link);
    timer = setTimeout(disconnect, LIFETIME_MS);
  });
};

export const disconnect = (): void => {
  clearTimeout(timer);
  if (link) link.remove();
};
