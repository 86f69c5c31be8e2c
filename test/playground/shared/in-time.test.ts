import { createMockService } from 'ofage/mock';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { inTime } from '../../../playground/shared/in-time.ts';
import { createProvider } from '../../../playground/shared/provider.ts';

afterEach(() => vi.restoreAllMocks());

/** Ends all time limits at once: `AbortSignal.timeout` does not go by fake timers. */
function endTimeLimits(): void {
  vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => {
    const controller = new AbortController();
    setTimeout(() => controller.abort(new DOMException('Time is over', 'TimeoutError')), 20);
    return controller.signal;
  });
}

describe('inTime()', () => {
  it('resolves with what the request resolves with', async () => {
    expect(await inTime('The service', 10_000, async () => 'answer')).toBe('answer');
  });

  it('rejects with what the request rejects with', async () => {
    const failed = inTime('The service', 10_000, () => Promise.reject(new TypeError('refused')));
    await expect(failed).rejects.toThrow(new TypeError('refused'));
  });

  it.each([
    { why: 'looks at the signal', request: waitForSignal },
    { why: 'does not', request: () => new Promise<never>(() => {}) },
  ])('says so when time is over, also to a request that $why', async ({ request }) => {
    await expect(inTime('The service', 20, request)).rejects.toMatchObject({
      name: 'NoAnswerError',
      message: 'The service did not answer within 0.02 seconds. Try again.',
    });
  });
});

describe('a request of a page', () => {
  it.each([
    { method: 'GET', path: '/tenants', seconds: 10 },
    { method: 'POST', path: '/tenants', seconds: 30 },
    { method: 'GET', path: '/clock', seconds: 10 },
    { method: 'POST', path: '/clock/advance', seconds: 300 },
    { method: 'PUT', path: '/snapshot', seconds: 300 },
  ])('$method $path gives up after $seconds s', async ({ method, path, seconds }) => {
    endTimeLimits();
    const provider = createProvider({
      apiOrigin: 'https://api.ofage.example',
      fetch: () => new Promise<never>(() => {}),
    });
    await expect(provider.control(method, path)).rejects.toMatchObject({
      status: null,
      message: `The service did not answer within ${seconds} seconds. Try again.`,
    });
    expect(AbortSignal.timeout).toHaveBeenCalledWith(seconds * 1_000);
  });

  it('of the typed client gives up with the same sentence', async () => {
    endTimeLimits();
    const provider = createProvider({
      apiOrigin: 'https://api.ofage.example',
      fetch: () => Promise.resolve(new Response(new ReadableStream())),
    });
    await expect(provider.client.tenants()).rejects.toMatchObject({
      code: 'unreachable',
      message: 'The service did not answer within 10 seconds. Try again.',
    });
  });

  it('to the API gives up, too', async () => {
    endTimeLimits();
    const provider = createProvider({
      apiOrigin: 'https://api.ofage.example',
      fetch: () => new Promise<never>(() => {}),
    });
    await expect(provider.fetch('/api/v1/sessions/create')).rejects.toThrow(
      'The service did not answer within 30 seconds. Try again.',
    );
  });

  it('has its answer, whatever is left of its time', async () => {
    const service = createMockService();
    const { items } = await createProvider(service).control<{ items: unknown[] }>(
      'GET',
      '/tenants',
    );
    expect(items).toHaveLength(1);
    await service.close();
  });
});

function waitForSignal(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error));
  });
}
