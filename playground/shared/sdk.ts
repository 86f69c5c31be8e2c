import type { OfAge as OfAgeConstructor, handleReturn } from 'ofage';

/** The type of `window.OfAge`, which the SDK's script tag sets. */
export type OfAgeGlobal = typeof OfAgeConstructor & { handleReturn: typeof handleReturn };

declare global {
  interface Window {
    readonly OfAge?: OfAgeGlobal;
  }
}

/** Returns the SDK that the script tag loaded. @throws Error if the script did not load */
export function sdk(): OfAgeGlobal {
  if (!window.OfAge) throw new Error('Cannot verify: sdk.min.js did not load');
  return window.OfAge;
}
