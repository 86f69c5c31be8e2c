import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createAttention } from '../../../../playground/shared/live/attention.ts';
import { createLoader } from '../../../../playground/shared/live/loader.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Creates a loader whose reads the test settles, on a page that can be hidden. */
function aLoader(everyMs: number | null = null) {
  const page = Object.assign(new EventTarget(), { visibilityState: 'visible' });
  const reads: { succeed(): void; fail(message: string): void }[] = [];
  const loader = createLoader(
    () =>
      new Promise((succeed, reject) => {
        reads.push({ succeed, fail: (message) => reject(new Error(message)) });
      }),
    createAttention(page as unknown as Document),
    everyMs,
  );
  const see = (visibilityState: string): void => {
    page.visibilityState = visibilityState;
    page.dispatchEvent(new Event('visibilitychange'));
  };
  return { loader, reads, hide: () => see('hidden'), show: () => see('visible') };
}

describe('a loader', () => {
  it('combines all requests during a pending read into one further read', async () => {
    const { loader, reads } = aLoader();
    const first = loader.ask();
    const others = [loader.ask(), loader.ask()];
    expect(reads).toHaveLength(1);
    reads[0]?.succeed();
    await first;
    expect(reads).toHaveLength(2);
    let isDone = false;
    void Promise.all(others).then(() => (isDone = true));
    await vi.advanceTimersByTimeAsync(0);
    expect(isDone).toBe(false);
    reads[1]?.succeed();
    await vi.advanceTimersByTimeAsync(0);
    expect(isDone).toBe(true);
    expect(reads).toHaveLength(2);
  });

  it('reads once for a burst of requests', async () => {
    const { loader, reads } = aLoader();
    for (let n = 0; n < 10; n += 1) loader.askSoon();
    expect(reads).toHaveLength(0);
    await vi.advanceTimersByTimeAsync(60);
    expect(reads).toHaveLength(1);
  });

  it('reports the error of a read and retries until one succeeds', async () => {
    const { loader, reads } = aLoader();
    const asked = loader.ask();
    reads[0]?.fail('It is broken');
    await asked;
    expect(loader.error.value).toBe('It is broken');
    await vi.advanceTimersByTimeAsync(2_000);
    reads[1]?.succeed();
    await vi.advanceTimersByTimeAsync(0);
    expect(loader.error.value).toBe('');
    await vi.advanceTimersByTimeAsync(60_000);
    expect(reads).toHaveLength(2);
  });

  it('does not read while the page is hidden, and reads immediately when it is shown', async () => {
    const { loader, reads, hide, show } = aLoader(1_000);
    void loader.ask();
    reads[0]?.succeed();
    hide();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(reads).toHaveLength(1);
    show();
    expect(reads).toHaveLength(2);
  });

  it('starts no further read and reports no error after stop()', async () => {
    const { loader, reads } = aLoader(1_000);
    const asked = loader.ask();
    loader.stop();
    reads[0]?.fail('It is broken');
    await asked;
    await loader.ask();
    loader.askSoon();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(reads).toHaveLength(1);
    expect(loader.error.value).toBe('');
  });
});
