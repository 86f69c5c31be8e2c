import { describe, expect, it, vi } from 'vitest';
import { selfCheck } from 'ofage';
import { useWorld } from './world.ts';

useWorld();

const WEBVIEWS = [
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) Mobile/15E148 [FBAN/FBIOS;FBAV/440.0]',
  'Mozilla/5.0 (iPhone) AppleWebKit Mobile/15E148 Instagram 300.0.0',
  'Mozilla/5.0 (Linux; Android 14; Pixel; wv) AppleWebKit/537.36 Chrome/120 Mobile Safari/537.36',
  'Mozilla/5.0 (iPhone) MicroMessenger/8.0',
  'Mozilla/5.0 (iPhone) Safari Line/13.0',
];
const BROWSERS = [
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36',
  'Mozilla/5.0 (X11; Linux x86_64; rv:153.0) Gecko/20100101 Firefox/153.0',
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Safari/605.1.15',
];

describe('selfCheck', () => {
  it('advises either mode on an ordinary page', () => {
    expect(selfCheck()).toEqual({
      advice: 'any',
      crossOriginIsolated: false,
      framed: false,
      popupObstacle: undefined,
      storage: true,
    });
  });

  it.each([
    [
      'advises a return page when the page is cross-origin isolated',
      { crossOriginIsolated: true },
      { advice: 'return-page', crossOriginIsolated: true },
    ],
    [
      'advises redirect in an isolated frame, which may have no way to receive the result',
      { crossOriginIsolated: true, top: {} },
      { advice: 'redirect', framed: true },
    ],
    ['advises either mode in a frame', { top: {} }, { advice: 'any', framed: true }],
    [
      'advises redirect in a sandboxed page, which has no origin',
      { origin: 'null' },
      { advice: 'redirect', popupObstacle: 'sandboxed' },
    ],
    [
      'advises redirect on a page that was opened from a file, which has no origin either',
      { origin: 'null', location: { protocol: 'file:', href: 'file:///shop.html' } },
      { advice: 'redirect', popupObstacle: 'file' },
    ],
    ...['chrome-extension://abc', 'moz-extension://abc', 'capacitor://localhost'].map(
      (origin): [string, object, object] => [
        `advises redirect on a page of ${origin}, because no return page can have this origin`,
        { location: { origin, href: `${origin}/shop.html` } },
        { advice: 'redirect', popupObstacle: undefined },
      ],
    ),
    [
      'advises either mode before the first click',
      { navigator: { userAgent: '', userActivation: { isActive: false } } },
      { advice: 'any', popupObstacle: 'no_user_gesture' },
    ],
    [
      'advises either mode right after a click',
      { navigator: { userAgent: '', userActivation: { isActive: true } } },
      { advice: 'any', popupObstacle: undefined },
    ],
    [
      'reports a browser without fetch as unsupported',
      { fetch: undefined },
      { advice: 'unsupported' },
    ],
    [
      'reports a page that replaced URL as unsupported',
      { URL: 'https://shop.example/' },
      { advice: 'unsupported' },
    ],
    [
      'reports a browser without random numbers as unsupported',
      { crypto: {} },
      { advice: 'unsupported' },
    ],
  ])('%s', (_, globals, expected) => {
    for (const [name, value] of Object.entries(globals)) vi.stubGlobal(name, value);
    expect(selfCheck()).toMatchObject(expected);
  });

  it.each(WEBVIEWS)('advises redirect in the in-app browser %s', (userAgent) => {
    vi.stubGlobal('navigator', { userAgent });
    expect(selfCheck()).toMatchObject({ advice: 'redirect', popupObstacle: 'webview' });
  });

  it.each(BROWSERS)('advises either mode in the browser %s', (userAgent) => {
    vi.stubGlobal('navigator', { userAgent });
    expect(selfCheck().advice).toBe('any');
  });

  it('reports denied storage without throwing', () => {
    vi.spyOn(globalThis, 'localStorage', 'get').mockImplementation(() => {
      throw new DOMException('denied', 'SecurityError');
    });
    expect(selfCheck().storage).toBe(false);
  });
});
