import { createClient } from 'ofage/server';
import { describe, expect, it, vi } from 'vitest';
import { findFreePort } from '../support/free-port.ts';
import { json, startApiServer } from './api-server.ts';
import { SESSION_ID, sessionBody } from './builders.ts';
import { rejectionOf, returnUrl, secretKey } from './client-calls.ts';

describe('a request of the client', () => {
  it('rejects with network_error and its cause when no server listens', async () => {
    const baseUrl = `http://127.0.0.1:${await findFreePort()}/api/v1`;

    const error = await rejectionOf(
      createClient({ secretKey, baseUrl }).createSession({ returnUrl }),
    );

    expect(error).toMatchObject({ code: 'network_error', retryable: true, status: undefined });
    expect(error).toMatchObject({ cause: { cause: { code: 'ECONNREFUSED' } } });
    expect(error.message).toContain(
      `could not be reached at ${baseUrl}; is the mock running there?`,
    );
  });

  it('names the production address and the variable when OFAGE_API_BASE is not set', async () => {
    const fetch = () => Promise.reject(new TypeError('fetch failed'));
    const client = createClient({ secretKey, baseUrl: undefined, fetch });
    const error = await rejectionOf(client.validateSession(SESSION_ID));
    expect(error.message).toContain(
      'Cannot validate the session: the service could not be reached at https://api.ofage.example/api/v1; for the mock, set OFAGE_API_BASE and pass it as baseUrl. See ',
    );
  });

  it('names only the address of another service', async () => {
    const fetch = () => Promise.reject(new TypeError('fetch failed'));
    const baseUrl = 'https://proxy.example/api/v1';
    const error = await rejectionOf(
      createClient({ secretKey, baseUrl, fetch }).validateSession(SESSION_ID),
    );
    expect(error.message).toContain(`could not be reached at ${baseUrl}. See `);
  });

  it('rejects with network_error when the connection breaks during the response', async () => {
    const api = await startApiServer((response) => {
      response.writeHead(200, { 'content-length': '1000' });
      response.write('{', () => response.destroy());
    });
    const error = await rejectionOf(
      createClient({ secretKey, baseUrl: api.baseUrl }).validateSession(SESSION_ID),
    );
    expect(error).toMatchObject({ code: 'network_error', retryable: true });
  });

  it.each([
    { why: 'no response', answer: () => {} },
    {
      why: 'a body that never ends',
      answer: (response: { writeHead(status: number): unknown; write(text: string): unknown }) => {
        response.writeHead(200);
        response.write('{');
      },
    },
  ])('rejects with request_timeout: $why', async ({ answer }) => {
    const api = await startApiServer(answer);
    const client = createClient({ secretKey, baseUrl: api.baseUrl, timeoutMs: 60_000 });

    const error = await rejectionOf(client.validateSession(SESSION_ID, { timeoutMs: 30 }));

    expect(error).toMatchObject({ code: 'request_timeout', retryable: true });
    expect(error.message).toContain(`did not respond in time (30 ms) at ${api.baseUrl}`);
  });

  it('rejects in time even if fetch ignores its signal', async () => {
    vi.useFakeTimers();
    try {
      const fetch = () => new Promise<never>(() => {});
      const pending = rejectionOf(createClient({ secretKey, fetch }).createSession({ returnUrl }));
      await vi.advanceTimersByTimeAsync(14_999);
      expect(vi.getTimerCount()).toBe(1);
      await vi.advanceTimersByTimeAsync(1);
      expect(await pending).toMatchObject({ code: 'request_timeout' });
      expect(vi.getTimerCount()).toBe(0);
    } finally {
      vi.useRealTimers();
    }
  });

  it('clears its timer after the response', async () => {
    vi.useFakeTimers();
    try {
      const fetch = async () => Response.json(sessionBody());
      await createClient({ secretKey, fetch }).createSession({ returnUrl });
      expect(vi.getTimerCount()).toBe(0);
    } finally {
      vi.useRealTimers();
    }
  });

  it('is not sent when the signal is already aborted', async () => {
    const api = await startApiServer(json(201, sessionBody()));
    const reason = new Error('the shopper left');
    const error = await rejectionOf(
      createClient({ secretKey, baseUrl: api.baseUrl }).createSession(
        { returnUrl },
        { signal: AbortSignal.abort(reason) },
      ),
    );
    expect(error).toMatchObject({ code: 'aborted', retryable: false });
    expect(error.cause).toBe(reason);
    expect(api.received).toEqual([]);
  });

  it('ends when the signal aborts, and its listener is removed', async () => {
    const controller = new AbortController();
    const remove = vi.spyOn(controller.signal, 'removeEventListener');
    let closed = false;
    const api = await startApiServer((response) => {
      response.on('close', () => (closed = true));
      controller.abort();
    });
    const client = createClient({ secretKey, baseUrl: api.baseUrl });

    const error = await rejectionOf(
      client.createSession({ returnUrl }, { signal: controller.signal }),
    );

    expect(error.code).toBe('aborted');
    expect(remove).toHaveBeenCalledWith('abort', expect.any(Function));
    await vi.waitFor(() => expect(closed).toBe(true), 4_000);
  });

  it.each([
    { why: 'signal', options: { signal: 'stop' as never } },
    { why: 'timeoutMs', options: { timeoutMs: 0 } },
  ])('is not sent with an invalid $why', async ({ options }) => {
    const api = await startApiServer(json(201, sessionBody()));
    const client = createClient({ secretKey, baseUrl: api.baseUrl });
    expect(await rejectionOf(client.createSession({ returnUrl }, options))).toMatchObject({
      code: 'invalid_option',
    });
    expect(api.received).toEqual([]);
  });

  it('rejects with unsupported_environment in a runtime without fetch', async () => {
    vi.stubGlobal('fetch', undefined);
    try {
      const error = await rejectionOf(createClient({ secretKey }).createSession({ returnUrl }));
      expect(error.code).toBe('unsupported_environment');
    } finally {
      vi.unstubAllGlobals();
    }
  });

  it('uses the current global fetch at each call, so that tools can replace it', async () => {
    const client = createClient({ secretKey });
    const fetch = vi.fn<typeof globalThis.fetch>(async () => Response.json(sessionBody()));
    vi.stubGlobal('fetch', fetch);
    try {
      await client.createSession({ returnUrl });
    } finally {
      vi.unstubAllGlobals();
    }
    expect(fetch.mock.calls[0]?.[0]).toBe('https://api.ofage.example/api/v1/sessions/create');
  });
});
