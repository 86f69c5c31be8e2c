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
  it('an ordinary page may use either mode', () => {
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
      'an isolated page needs handleReturn()',
      { crossOriginIsolated: true },
      { advice: 'return-page', crossOriginIsolated: true },
    ],
    [
      'an isolated frame has no channel left',
      { crossOriginIsolated: true, top: {} },
      { advice: 'redirect', framed: true },
    ],
    ['a frame hears its window', { top: {} }, { advice: 'any', framed: true }],
    [
      'a sandboxed page has no origin',
      { origin: 'null' },
      { advice: 'redirect', popupObstacle: 'sandboxed' },
    ],
    [
      'no click yet is no reason against windows',
      { navigator: { userAgent: '', userActivation: { isActive: false } } },
      { advice: 'any', popupObstacle: 'no_user_gesture' },
    ],
    [
      'a fresh click',
      { navigator: { userAgent: '', userActivation: { isActive: true } } },
      { advice: 'any', popupObstacle: undefined },
    ],
    ['a browser without fetch', { fetch: undefined }, { advice: 'unsupported' }],
  ])('%s', (_, globals, expected) => {
    for (const [name, value] of Object.entries(globals)) vi.stubGlobal(name, value);
    expect(selfCheck()).toMatchObject(expected);
  });

  it.each(WEBVIEWS)('another app’s browser: %s', (userAgent) => {
    vi.stubGlobal('navigator', { userAgent });
    expect(selfCheck()).toMatchObject({ advice: 'redirect', popupObstacle: 'webview' });
  });

  it.each(BROWSERS)('a browser: %s', (userAgent) => {
    vi.stubGlobal('navigator', { userAgent });
    expect(selfCheck().advice).toBe('any');
  });

  it('denied storage is a fact, not an error', () => {
    vi.spyOn(globalThis, 'localStorage', 'get').mockImplementation(() => {
      throw new DOMException('denied', 'SecurityError');
    });
    expect(selfCheck().storage).toBe(false);
  });
});
