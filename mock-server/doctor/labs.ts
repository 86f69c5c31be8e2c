import { LAB_HEADER, LAB_MARK, LAB_PREFIX, SHOP_WEBHOOK_PATH } from '../api/brand.ts';

/**
 * Tells whether a session belongs to the labs of the playground. The labs make mistakes on purpose, in the
 * account of the demo shop. They mark their traffic, so that the doctor can leave it out.
 */
export function isLabSession({ externalUserId }: { externalUserId: string | null }): boolean {
  return externalUserId?.startsWith(LAB_PREFIX) ?? false;
}

export function isLabHook({ url }: { readonly url: string }): boolean {
  return new URL(url).searchParams.has(LAB_MARK);
}

/**
 * Tells whether an endpoint belongs to the demo shop's own server, which runs beside the mock or in the
 * static playground. The doctor leaves out such an endpoint, because it says nothing about another shop
 * that uses the same account.
 */
export function isDemoHook({ url }: { readonly url: string }): boolean {
  const { hostname, pathname } = new URL(url);
  return pathname === SHOP_WEBHOOK_PATH && DEMO_HOSTS.includes(hostname);
}

const DEMO_HOSTS: readonly string[] = ['localhost', 'shop.ofage.example'];

/** Tells whether a request belongs to the labs, which mark their requests with a header. */
export function isLabRequest(request: {
  readonly requestHeaders: Readonly<Record<string, string>>;
}): boolean {
  return Object.hasOwn(request.requestHeaders, LAB_HEADER);
}
