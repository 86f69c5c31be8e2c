/** Returns the window that opened this page, or null if there is none or it has been closed. */
export function liveOpener(): Window | null {
  const opener: Window | null = window.opener;
  return opener && !opener.closed ? opener : null;
}
