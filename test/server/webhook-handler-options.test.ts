import { type WebhookHandlerOptions, createWebhookHandler } from 'ofage/server';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { SECRET, oddText, signed, toRequest } from './signed-request.ts';
import { setUp } from './a-webhook-handler.ts';

describe('createWebhookHandler() and its secret', () => {
  it('takes each of several', async () => {
    const { send } = setUp({ secret: ['next', SECRET] });
    expect((await send(signed(oddText()))).status).toBe(204);
    expect((await send(signed(oddText(), 'next'))).status).toBe(204);
    expect((await send(signed(oddText(), 'last'))).status).toBe(401);
  });

  it('asks a function at each request', async () => {
    let current = 'old';
    const { send } = setUp({ secret: async () => current });
    expect((await send(signed(oddText()))).status).toBe(401);
    current = SECRET;
    expect((await send(signed(oddText()))).status).toBe(204);
  });

  it.each([
    { why: 'gives nothing', secret: () => '' },
    { why: 'gives an empty list', secret: () => [] },
    { why: 'throws', secret: () => Promise.reject(new Error('vault is sealed')) },
  ])('500 when the function $why: that is no fault of the sender', async ({ secret }) => {
    const { send, problems } = setUp({ secret });
    expect((await send(signed(oddText(), 'x'))).status).toBe(500);
    expect(problems).toHaveLength(1);
  });

  it('does not follow a list that is changed later', async () => {
    const secrets = ['other'];
    const { send } = setUp({ secret: secrets });
    secrets[0] = SECRET;
    expect((await send(signed(oddText()))).status).toBe(401);
  });
});

describe('createWebhookHandler() refuses at once', () => {
  const onEvent = () => {};
  it.each([
    { why: 'no options', options: undefined, code: 'invalid_option' },
    { why: 'no secret', options: { onEvent }, code: 'webhook_secret_required' },
    { why: 'empty', options: { onEvent, secret: '' }, code: 'webhook_secret_required' },
    { why: 'none', options: { onEvent, secret: [] }, code: 'webhook_secret_required' },
    { why: 'one empty', options: { onEvent, secret: ['a', ''] }, code: 'webhook_secret_required' },
    { why: 'no onEvent', options: { secret: SECRET }, code: 'invalid_option' },
    { why: 'a name misspelt', options: { secret: SECRET, onEvent, onevent: 1 } },
    { why: 'onTest', options: { secret: SECRET, onEvent, onTest: true } },
    { why: 'a Map for a store', options: { secret: SECRET, onEvent, store: new Map() } },
    { why: 'null for a store', options: { secret: SECRET, onEvent, store: null } },
    { why: 'a short lease', options: { secret: SECRET, onEvent, leaseMs: 999 } },
    { why: 'a lease that is text', options: { secret: SECRET, onEvent, leaseMs: '60000' } },
    { why: 'a small body', options: { secret: SECRET, onEvent, maxBodyBytes: 262_143 } },
    { why: 'any body', options: { secret: SECRET, onEvent, maxBodyBytes: Infinity } },
  ])('$why', ({ options, code = 'invalid_option' }) => {
    expect(() => createWebhookHandler(options as unknown as WebhookHandlerOptions)).toThrow(
      expect.objectContaining({ name: 'OfAgeError', code }),
    );
  });

  it('without showing the secret', () => {
    const options = { onEvent, secret: SECRET, [SECRET]: 1 } as WebhookHandlerOptions;
    expect(() => createWebhookHandler(options)).toThrow(
      expect.not.objectContaining({ message: expect.stringContaining(SECRET) }),
    );
  });
});

describe('createWebhookHandler() and its log', () => {
  afterEach(() => void vi.restoreAllMocks());

  it('prints a line when nobody listens, without the secret', async () => {
    const print = vi.spyOn(console, 'error').mockImplementation(() => {});
    const webhooks = createWebhookHandler({ secret: SECRET, onEvent: () => {} });
    await webhooks(toRequest(signed(oddText(), 'other')));
    expect(print.mock.calls).toEqual([
      ['OfAge webhook answered 401:', expect.stringMatching(/^OfAgeError: Cannot verify/)],
    ]);
    expect(JSON.stringify(print.mock.calls)).not.toContain(SECRET);
  });

  it.each([
    { why: 'throws', onProblem: () => { throw new Error('log is full'); } }, // prettier-ignore
    { why: 'rejects', onProblem: () => Promise.reject(new Error('log is full')) },
  ])('answers the same when the log $why', async ({ onProblem }) => {
    const { send } = setUp({ onProblem });
    expect((await send(signed(oddText(), 'other'))).status).toBe(401);
  });
});
