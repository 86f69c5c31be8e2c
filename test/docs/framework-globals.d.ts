/** What Nuxt and Vite declare in the projects of the guides: functions of server routes, and variables. */
import type * as h3 from 'h3-1';

declare global {
  interface ImportMeta {
    /** The variables of Vite, as the types `vite/client` of a project declare them. */
    readonly env: { readonly [name: string]: any; readonly DEV: boolean };
  }

  const defineEventHandler: typeof h3.defineEventHandler;
  const readBody: typeof h3.readBody;
  const toWebRequest: typeof h3.toWebRequest;
}
