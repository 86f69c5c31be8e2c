/**
 * Returns the address that the COOP page redirects to: the hosted page in `next`, with the parameters that
 * the SDK appended to this page's address. Null for any other address, because this must not be an open
 * redirect.
 */
export function nextStop(address: string, siteRoot: string): string | null {
  const { searchParams } = new URL(address);
  const wanted = searchParams.get('next') ?? '';
  if (!URL.canParse(wanted)) return null;
  const next = new URL(wanted);
  const hosted = new URL('verify/', siteRoot);
  if (next.origin !== hosted.origin || next.pathname !== hosted.pathname) return null;
  for (const [name, value] of searchParams) {
    if (name !== 'next' && !next.searchParams.has(name)) next.searchParams.set(name, value);
  }
  return next.href;
}
