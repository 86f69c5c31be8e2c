// @vitest-environment jsdom
/** A case of the popup lab that is ended while it waits, because another one was started. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { startRun } from '../../../playground/labs/popup/run.ts';
import { createProvider } from '../../../playground/shared/provider.ts';

const provider = createProvider({
  apiOrigin: 'https://mock.example',
  fetch: () => Promise.reject(new TypeError('Failed to fetch')),
});
const verify = vi.fn(() => new Promise<never>(() => {}));

beforeEach(() => {
  vi.useFakeTimers();
  vi.spyOn(console, 'debug').mockImplementation(() => undefined);
  vi.stubGlobal(
    'OfAge',
    class {
      verify = verify;
      destroy() {}
    },
  );
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

it('calls no verify() when the click is over after the end', async () => {
  const run = startRun('too_late', { provider, publishableKey: 'pk' });
  await vi.advanceTimersByTimeAsync(100);
  run.end();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(verify).not.toHaveBeenCalled();
});

it('removes a frame that is ready after the end, and sends it nothing', async () => {
  const run = startRun('blocked', { provider, publishableKey: 'pk' });
  const frame = document.querySelector('iframe');
  const source = frame?.contentWindow ?? null;
  if (source === null) throw new Error('The case has no frame');
  const sent = vi.spyOn(source, 'postMessage');
  run.end();
  window.dispatchEvent(new MessageEvent('message', { source, data: { frame: 'ready' } }));
  await vi.advanceTimersByTimeAsync(0);
  expect(sent).not.toHaveBeenCalled();
  expect(document.querySelector('iframe')).toBeNull();
});
