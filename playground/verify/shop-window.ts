/** Returns the window that opened this page, or null if there is none or it has been closed. */
export function liveOpener(): Window | null {
  const opener: Window | null = window.opener;
  return opener && !opener.closed ? opener : null;
}

/**
 * Sends a message to the shop's window, if there is one. It is addressed to each origin that the service
 * names, so that an opener of any other origin learns nothing.
 */
export function postToShop(message: object, { messageOrigins }: ShopOrigins): void {
  for (const origin of messageOrigins) liveOpener()?.postMessage(message, origin);
}

interface ShopOrigins {
  readonly messageOrigins: readonly string[];
}
