/**
 * Where the page that cuts off leads on to: the hosted page that `next` names, with what the SDK has
 * appended to this page's own address. Nowhere else, or it could be used to send people anywhere.
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
