/** Console warnings about options that do not have the effect a developer may expect. */
import { describe, expect, it, vi } from 'vitest';
import { begin, link, Sdk, useFreshPage, world } from './world.ts';

useFreshPage('https://shop.example/cart');

const GOOD = { apiKey: 'pk_test_123', returnUrl: 'https://shop.example/return' };
const toWarning = (sentence: string): string => `OfAge: ${sentence}${link('warnings')}`;
const LANGUAGE = 'language must be en or de or es or fr or pt or it';

describe('the SDK warns once per page, even if a component creates many objects,', () => {
  it.each<[why: string, options: object, says: string]>([
    [
      'the page has unloaded before callbacks could run',
      { onComplete() {}, onCancel() {} },
      'set mode to "new-tab" for onComplete and onCancel',
    ],
    [
      'the SDK does not navigate to cancelUrl in redirect mode',
      { cancelUrl: 'https://shop.example/basket' },
      'set mode to "new-tab" for cancelUrl',
    ],
    [
      'newTabTarget alone does not open a tab',
      { newTabTarget: 'tab' },
      'set mode to "new-tab" for newTabTarget',
    ],
    [
      'the return page cannot reach a page on another origin',
      { mode: 'new-tab', returnUrl: 'https://www.shop.example/return' },
      'a result may be lost: put returnUrl on "https://shop.example" or set mode to "redirect"',
    ],
    [
      'the hosted page does not have the language',
      { language: 'nl-BE' },
      `${LANGUAGE}, got "nl-BE"`,
    ],
    ...['sessionId', 'status', 'timestamp', 'externalUserId'].map(
      (name) =>
        [
          'a return page could not tell its own parameter from the result',
          { returnUrl: `${GOOD.returnUrl}?a&${name}=1` },
          `returnUrl already has ${name}: remove it`,
        ] as [string, object, string],
    ),
  ])('because %s', (_, options, says) => {
    for (let n = 0; n < 3; n += 1) void new Sdk({ ...GOOD, ...options });
    expect(world.warnings).toEqual([toWarning(says)]);
  });

  it.each(['chrome-extension://abc', 'moz-extension://abc', 'capacitor://localhost'])(
    'because no return page can be on the origin %s',
    (origin) => {
      vi.stubGlobal('location', { href: `${origin}/shop.html`, origin });
      void new Sdk({ ...GOOD, mode: 'new-tab' });
      const cure = `put returnUrl on "${origin}" or set mode to "redirect"`;
      expect(world.warnings).toEqual([toWarning(`a result may be lost: ${cure}`)]);
    },
  );

  it('because verify() got an unsupported language', () => {
    const ofAge = new Sdk({ ...GOOD, language: 'de' });
    for (let n = 0; n < 2; n += 1) void ofAge.verify({ language: 'klingon' });
    expect(world.warnings).toEqual([toWarning(`${LANGUAGE}, got "klingon"`)]);
  });

  it('because a window that is out of reach needs handleReturn()', async () => {
    await begin({ returnUrl: GOOD.returnUrl });
    world.popup().closed = true;
    await world.elapse(20_000);
    expect(world.warnings).toEqual([
      toWarning(
        'window closed or cut off by COOP: call handleReturn() at returnUrl, on this origin',
      ),
    ]);
  });
});

it.each<[what: string, options: object]>([
  [
    'the options that redirect mode uses',
    { language: 'pt-BR', environment: 'staging', onError() {} },
  ],
  [
    'the options that new-tab mode uses',
    {
      mode: 'new-tab',
      newTabTarget: 'tab',
      cancelUrl: 'https://other.example/basket',
      onComplete() {},
      onCancel() {},
    },
  ],
  ['a returnUrl on another origin in redirect mode', { returnUrl: 'https://other.example/' }],
  ...['?sessionIds=1', '?next=%26status%3D1', '#status=1', '?a=status'].map(
    (end) =>
      [`a returnUrl that ends in ${end}`, { returnUrl: GOOD.returnUrl + end }] as [string, object],
  ),
])('the SDK does not warn about %s', (_, options) => {
  void new Sdk({ ...GOOD, ...options }).verify();
  expect(world.warnings).toEqual([]);
});

it('the SDK does not warn about the returnUrl of a frame whose origin is not in its address', () => {
  vi.stubGlobal('location', { href: 'about:srcdoc', origin: 'null' });
  void new Sdk({ ...GOOD, mode: 'new-tab' });
  expect(world.warnings).toEqual([]);
});

it('the SDK works without a console', () => {
  vi.stubGlobal('console', undefined);
  const ofAge = new Sdk({ ...GOOD, language: 'tlh', onComplete() {} });
  vi.unstubAllGlobals();
  expect(ofAge).toBeInstanceOf(Sdk);
});
