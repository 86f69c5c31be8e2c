/** Console warnings about options that do not have the effect a developer may expect. */

import { beforeEach, describe, expect, it, vi } from 'vitest';
import { OfAge } from 'ofage';
import { newOfAge, useWorld, world } from './world.ts';

useWorld('https://shop.example/cart');
let warnings: string[];
beforeEach(() => {
  warnings = [];
  vi.spyOn(console, 'warn').mockImplementation((text: string) => void warnings.push(text));
});

const GOOD = { apiKey: 'pk_test_123', returnUrl: 'https://shop.example/return' };
const LANGUAGE = 'language must be en or de or es or fr or pt or it';

const toWarning = (sentence: string): string =>
  `OfAge: ${sentence}. See https://docs.ofage.example/errors/warnings`;

describe('the SDK warns once per page', () => {
  it.each([
    {
      why: 'the page has unloaded before they could run',
      options: { onComplete() {}, onCancel() {} },
      says: 'set mode to "new-tab" for onComplete and onCancel',
    },
    {
      why: 'the SDK does not navigate to it in redirect mode',
      options: { cancelUrl: 'https://shop.example/basket' },
      says: 'set mode to "new-tab" for cancelUrl',
    },
    {
      why: 'newTabTarget alone does not open a tab',
      options: { newTabTarget: 'tab' as const },
      says: 'set mode to "new-tab" for newTabTarget',
    },
    {
      why: 'the return page cannot reach a page on another origin',
      options: { mode: 'new-tab' as const, returnUrl: 'https://www.shop.example/return' },
      says: 'returnUrl should be on "https://shop.example"',
    },
    {
      why: 'the hosted page does not have the language',
      options: { language: 'nl-BE' },
      says: `${LANGUAGE}, got "nl-BE"`,
    },
  ])('even if a component creates many objects: $says (because $why)', ({ options, says }) => {
    for (let n = 0; n < 3; n += 1) void new OfAge({ ...GOOD, ...options });
    expect(warnings).toEqual([toWarning(says)]);
  });

  it('for an unsupported language passed to verify()', () => {
    const ofAge = new OfAge({ ...GOOD, language: 'de' });
    for (let n = 0; n < 2; n += 1) void ofAge.verify({ language: 'klingon' });
    expect(warnings).toEqual([toWarning(`${LANGUAGE}, got "klingon"`)]);
  });
});

it.each([
  ['the options that redirect mode uses', { ...GOOD, language: 'pt-BR', onError() {} }],
  [
    'the options that new-tab mode uses',
    {
      ...GOOD,
      mode: 'new-tab' as const,
      newTabTarget: 'tab' as const,
      cancelUrl: 'https://other.example/basket',
      onComplete() {},
      onCancel() {},
    },
  ],
  [
    'a returnUrl on another origin in redirect mode',
    { ...GOOD, returnUrl: 'https://other.example/' },
  ],
])('the SDK does not warn about %s', (_, options) => {
  void new OfAge(options).verify();
  expect(warnings).toEqual([]);
});

it.each(['sessionId', 'status', 'timestamp', 'externalUserId'])(
  'the SDK warns once about a returnUrl that already has the parameter %s',
  (name) => {
    for (let n = 0; n < 2; n += 1)
      void new OfAge({ ...GOOD, returnUrl: `${GOOD.returnUrl}?a&${name}=1` });
    expect(warnings).toEqual([toWarning(`returnUrl already has ${name}: remove it`)]);
  },
);

it.each(['?sessionIds=1', '?next=%26status%3D1', '#status=1', '?a=status'])(
  'the SDK does not warn about returnUrl ending in %s, which has none of its parameters',
  (end) => {
    void new OfAge({ ...GOOD, returnUrl: GOOD.returnUrl + end });
    expect(warnings).toEqual([]);
  },
);

it('the SDK works without a console', async () => {
  vi.stubGlobal('console', undefined);
  const ofAge = new OfAge({ ...GOOD, language: 'tlh', onComplete() {} });
  vi.unstubAllGlobals();
  expect(ofAge).toBeInstanceOf(OfAge);
});

it('the SDK warns that an unreachable window needs handleReturn()', async () => {
  void newOfAge({ returnUrl: GOOD.returnUrl }).verify();
  await world.elapse(0);
  world.popup().closed = true;
  await world.elapse(20_000);
  expect(warnings).toEqual([
    toWarning('window closed or cut off by COOP: call handleReturn() at returnUrl'),
  ]);
});
