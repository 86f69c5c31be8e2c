import type { OfAgeOptions, VerifyOptions } from 'ofage';

/** The shop's own values, which its integration uses. */
export interface ShopFacts {
  readonly publishableKey: string;
  /** The URL of the shop's return page. */
  readonly returnUrl: string;
  readonly cancelUrl: string;
  readonly customerId: string;
}

/** The way in which the shop uses the SDK. */
export interface Integration {
  /** True if the shop's server creates the session with its secret key, without the SDK. */
  readonly isOnServer: boolean;
  /** The options of the constructor, with the callbacks. */
  readonly constructorOptions: OfAgeOptions;
  readonly verifyOptions: VerifyOptions;
}

/**
 * Returns the integration for the shop's values.
 * @param isInThisTab True if the shopper has chosen this tab, because the browser blocks windows
 */
export type Integrate = (facts: ShopFacts, isInThisTab: boolean) => Integration;
