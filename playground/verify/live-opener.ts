/** The shop's window, when there is one that can still be told something. */
export function liveOpener(): Window | null {
  const opener: Window | null = window.opener;
  return opener && !opener.closed ? opener : null;
}
