import type { IntegrationOptions } from '../options.ts';
import { type ConstructorSettings, type ShopFacts, toConstructorSettings } from '../settings.ts';
import { quote } from './code-text.ts';
import { SDK_INTEGRITY } from './published-sdk.ts';

/** The service that the code runs against: the mock that serves this page, or production. */
export type Target = 'mock' | 'production';

export interface SnippetFacts {
  readonly target: Target;
  /** The SDK's version, which integrations pin in production. */
  readonly version: string;
  /** The mock's addresses, and its account's publishable key. */
  readonly mock: {
    readonly sdkUrl: string;
    readonly apiBase: string;
    readonly publishableKey: string;
  };
}

/** Example values in the generated code, which the developer replaces. */
const SHOPS: Readonly<Record<Target, Omit<ShopFacts, 'publishableKey'>>> = {
  mock: {
    returnUrl: 'http://localhost:3000/age-check/return',
    cancelUrl: 'http://localhost:3000/basket',
    customerId: 'customer-42',
  },
  production: {
    returnUrl: 'https://shop.example/age-check/return',
    cancelUrl: 'https://shop.example/basket',
    customerId: 'customer-42',
  },
};

export const toShopFacts = ({ target, mock }: SnippetFacts): ShopFacts => ({
  ...SHOPS[target],
  publishableKey: target === 'mock' ? mock.publishableKey : 'pk_your_publishable_key',
});

/** Returns the constructor options for the target. They contain no policy, because the SDK rejects one. */
export const toTargetSettings = (
  options: IntegrationOptions,
  facts: SnippetFacts,
): ConstructorSettings =>
  toConstructorSettings({ ...options, setsPolicy: false }, toShopFacts(facts));

/**
 * Returns the constructor options for code in a page, as literals or expressions. For the mock, addresses of
 * the page follow its origin, so that the code runs on any port.
 */
export function toPageSettings(
  options: IntegrationOptions,
  facts: SnippetFacts,
): (readonly [name: string, code: string])[] {
  const settings = toTargetSettings(options, facts);
  const isOwn = {
    returnUrl: options.returnUrl === null,
    cancelUrl: options.cancelAddress === null,
  };
  return Object.entries(settings).map(([name, value]) => {
    const followsPage = facts.target === 'mock' && (isOwn as Record<string, boolean>)[name];
    if (!followsPage) return [name, quote(value)];
    return [name, `location.origin + ${quote(new URL(String(value)).pathname)}`];
  });
}

/**
 * Returns the tag that loads the SDK. The mock serves a different file than the CDN, so its tag has no
 * hash.
 */
export function sdkTag({ target, version, mock }: SnippetFacts): string {
  if (target === 'mock') return `<script src="${mock.sdkUrl}"></script>`;
  return `<script
  src="https://cdn.ofage.example/ofage@${version}/sdk.min.js"
  integrity="${SDK_INTEGRITY}"
  crossorigin="anonymous"
></script>`;
}

/** Returns the code that makes the names `OfAge` and those in `more` available to a module. */
export function importCode({ target, mock }: SnippetFacts, more: string): string {
  if (target === 'production') return `import { OfAge, ${more} } from 'ofage';`;
  return `import { ${more} } from 'ofage';
import { createTestOfAge } from 'ofage/testing';

// The SDK itself has no option for the address. This one is bound to the mock.
const OfAge = createTestOfAge(${quote(mock.apiBase)});`;
}
