/** The functions that Nuxt imports automatically in the server routes of docs/guides/frameworks.md. */
import type * as h3 from 'h3-1';

declare global {
  const defineEventHandler: typeof h3.defineEventHandler;
  const readBody: typeof h3.readBody;
  const toWebRequest: typeof h3.toWebRequest;
}
