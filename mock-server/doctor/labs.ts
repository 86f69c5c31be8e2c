import { LAB_HEADER, LAB_MARK, LAB_PREFIX } from '../brand.ts';

/**
 * The labs of the playground make mistakes on purpose, in the account of the demo shop. They mark their
 * traffic, so that the doctor can tell it from an integration's own.
 */

export function isLabSession({ externalUserId }: { externalUserId: string | null }): boolean {
  return externalUserId?.startsWith(LAB_PREFIX) ?? false;
}

export function isLabHook({ url }: { readonly url: string }): boolean {
  return new URL(url).searchParams.has(LAB_MARK);
}

/** A call without a session of its own is marked by a header. */
export function isLabRequest(request: {
  readonly requestHeaders: Readonly<Record<string, string>>;
}): boolean {
  return Object.hasOwn(request.requestHeaders, LAB_HEADER);
}
