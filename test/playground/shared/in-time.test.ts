import type { ControlClient } from 'ofage/mock/client';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { inTime } from '../../../playground/shared/in-time.ts';
import { createProvider } from '../../../playground/shared/provider.ts';

afterEach(() => vi.restoreAllMocks());

/** Ends all time limits after 20 ms, because fake timers do not affect `AbortSignal.timeout`. */
function endTimeLimits(): void {
  vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => {
    const controller = new AbortController();
    setTimeout(() => controller.abort(new DOMException('Time is over', 'TimeoutError')), 20);
    return controller.signal;
  });
}

describe('inTime()', () => {
  it('rejects with the error of the request', async () => {
    const failed = inTime('The service', 10_000, () => Promise.reject(new TypeError('refused')));
    await expect(failed).rejects.toThrow(new TypeError('refused'));
  });

  it.each([
    { why: 'handles the signal', request: waitForSignal },
    { why: 'ignores the signal', request: () => new Promise<never>(() => {}) },
  ])(
    'rejects with NoAnswerError after the time limit of a request that $why',
    async ({ request }) => {
      await expect(inTime('The service', 20, request)).rejects.toMatchObject({
        name: 'NoAnswerError',
        message: 'The service did not answer within 0.02 seconds. Try again.',
      });
    },
  );
});

describe('a request from a page', () => {
  it.each<{ why: string; ask: (client: ControlClient) => Promise<unknown>; seconds: number }>([
    { why: 'a read', ask: (client) => client.tenants(), seconds: 10 },
    { why: 'a change', ask: (client) => client.createTenant(), seconds: 30 },
    { why: 'a read of the clock', ask: (client) => client.clock.read(), seconds: 10 },
    { why: 'a clock move', ask: (client) => client.clock.advance(1), seconds: 300 },
    { why: 'a snapshot', ask: (client) => client.snapshot(), seconds: 300 },
  ])('times out after $seconds s if it is $why', async ({ ask, seconds }) => {
    endTimeLimits();
    const provider = createProvider({
      apiOrigin: 'https://api.ofage.example',
      fetch: () => new Promise<never>(() => {}),
    });
    await expect(ask(provider.client)).rejects.toMatchObject({
      status: null,
      message: `The service did not answer within ${seconds} seconds. Try again.`,
    });
    expect(AbortSignal.timeout).toHaveBeenCalledWith(seconds * 1_000);
  });

  it('times out when the response body does not end', async () => {
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

  it.each([
    { why: 'there is no response', answer: () => new Promise<never>(() => {}) },
    {
      why: 'the response body does not end',
      answer: async () => new Response(new ReadableStream()),
    },
  ])('times out after 30 s if it calls the API and $why', async ({ answer }) => {
    endTimeLimits();
    const provider = createProvider({ apiOrigin: 'https://api.ofage.example', fetch: answer });
    await expect(provider.fetch('/api/v1/sessions/create')).rejects.toThrow(
      'The service did not answer within 30 seconds. Try again.',
    );
  });
});

function waitForSignal(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error));
  });
}
