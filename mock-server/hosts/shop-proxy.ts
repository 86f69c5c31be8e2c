/** Headers that describe one connection (RFC 9110, section 7.6.1), and headers that fetch sets itself. */
const NOT_FORWARDED = [
  'connection',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'host',
  'content-length',
  'expect',
];

/**
 * Forwards a request to the demo shop's own server, so that the shop's page and its server share an origin,
 * as in production. Responds with 503 if that server is not running or not reachable.
 */
export async function proxyToShop(
  request: Request,
  shopBackend: string | undefined,
): Promise<Response> {
  if (shopBackend === undefined) return notRunning();
  const { pathname, search } = new URL(request.url);
  const headers = new Headers(request.headers);
  for (const name of NOT_FORWARDED) headers.delete(name);
  const hasBody = request.method !== 'GET' && request.method !== 'HEAD';
  try {
    const answer = await fetch(new URL(pathname + search, shopBackend), {
      method: request.method,
      headers,
      redirect: 'manual',
      ...(hasBody && { body: await request.arrayBuffer() }),
    });
    const answered = new Headers(answer.headers);
    // fetch has already decompressed the body, so these headers no longer apply.
    for (const name of ['content-encoding', 'content-length', 'transfer-encoding', 'connection'])
      answered.delete(name);
    return new Response(answer.body, { status: answer.status, headers: answered });
  } catch {
    return notRunning();
  }
}

function notRunning(): Response {
  return Response.json({ message: "The demo shop's server is not running" }, { status: 503 });
}
