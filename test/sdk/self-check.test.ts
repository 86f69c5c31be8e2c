import { describe, expect, it, vi } from 'vitest';
import { selfCheck } from 'ofage';
import { BROWSERS, IN_APP_BROWSERS } from './user-agents.ts';
import { useWorld } from './world.ts';

useWorld();

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

  it.each(IN_APP_BROWSERS)('advises redirect in the browser of %s', (_, userAgent) => {
    vi.stubGlobal('navigator', { userAgent });
    expect(selfCheck()).toMatchObject({ advice: 'redirect', popupObstacle: 'webview' });
  });

  it.each(BROWSERS)('advises either mode in %s', (_, userAgent) => {
    vi.stubGlobal('navigator', { userAgent });
    expect(selfCheck()).toMatchObject({ advice: 'any', popupObstacle: undefined });
  });

  it('reports denied storage without throwing', () => {
    vi.spyOn(globalThis, 'localStorage', 'get').mockImplementation(() => {
      throw new DOMException('denied', 'SecurityError');
    });
    expect(selfCheck().storage).toBe(false);
  });
});
