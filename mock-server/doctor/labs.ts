import { LAB_HEADER, LAB_MARK, LAB_PREFIX } from '../brand.ts';

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

/** Tells whether a call belongs to the labs, which mark calls by a header. */
export function isLabRequest(request: {
  readonly requestHeaders: Readonly<Record<string, string>>;
}): boolean {
  return Object.hasOwn(request.requestHeaders, LAB_HEADER);
}
