// @vitest-environment node
import { expect, it, vi } from 'vitest';
import OfAgeDefault, { handleReturn, OfAge, selfCheck, VERSION } from 'ofage';

const GOOD = { apiKey: 'pk_test_1', returnUrl: 'https://shop.example/return' };

it('the SDK can be imported on a server, which has no window', () => {
  expect(typeof document).toBe('undefined');
  expect(OfAgeDefault).toBe(OfAge);
  expect(OfAge.VERSION).toBe(VERSION);
  expect(VERSION).toMatch(/^\d+\.\d+\.\d+$/);
});

it('the constructor checks its options on a server', () => {
  expect(new OfAge(GOOD)).toBeInstanceOf(OfAge);
  expect(() => new OfAge({ ...GOOD, apiKey: 'sk_live_1' })).toThrow('Secret key in browser');
});

it('verify() rejects and selfCheck() advises "unsupported" on a server', async () => {
  await expect(new OfAge(GOOD).verify()).rejects.toMatchObject({
    code: 'unsupported_environment',
    retryable: false,
  });
  expect(selfCheck().advice).toBe('unsupported');
  new OfAge(GOOD).destroy();
});

it('handleReturn() reads the URL of a request on a server, and opens no channel', () => {
  const channel = vi.fn();
  vi.stubGlobal('BroadcastChannel', channel);
  expect(handleReturn('https://shop.example/return?sessionId=a&status=verified')).toEqual({
    status: 'verified',
    sessionId: 'a',
  });
  expect(channel).not.toHaveBeenCalled();
  vi.unstubAllGlobals();
});

it.each<[url: string | undefined, why: string]>([
  [undefined, 'there is no page'],
  ['/return?sessionId=a&status=verified', 'it has no origin'],
  ['https://shop.example/return', 'it has no parameters'],
])('handleReturn(%j) returns null on a server, because %s', (url) => {
  expect(handleReturn(url)).toBeNull();
});
