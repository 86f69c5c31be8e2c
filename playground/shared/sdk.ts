import type { OfAge as OfAgeConstructor, handleReturn } from 'ofage';

/** What the script tag puts into the page. */
export type OfAgeGlobal = typeof OfAgeConstructor & { handleReturn: typeof handleReturn };

declare global {
  interface Window {
    readonly OfAge?: OfAgeGlobal;
  }
}

/** The SDK, as the script tag left it. @throws Error when the script did not load */
export function sdk(): OfAgeGlobal {
  if (!window.OfAge) throw new Error('Cannot verify: sdk.min.js did not load');
  return window.OfAge;
}
