import { createWebhookHandler } from 'ofage/server';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { SECRET, oddText, signed, toRequest } from './signed-request.ts';
import { setUp } from './a-webhook-handler.ts';

describe('the secret option', () => {
  it('may be a list; a signature made with any of its secrets is accepted', async () => {
    const { send } = setUp({ secret: ['next', SECRET] });
    expect((await send(signed(oddText()))).status).toBe(204);
    expect((await send(signed(oddText(), 'next'))).status).toBe(204);
    expect((await send(signed(oddText(), 'last'))).status).toBe(401);
  });

  it('may be a function, which is called for each request', async () => {
    let current = 'old';
    const { send } = setUp({ secret: async () => current });
    expect((await send(signed(oddText()))).status).toBe(401);
    current = SECRET;
    expect((await send(signed(oddText()))).status).toBe(204);
  });

  it.each([
    { why: 'returns an empty string', secret: () => '' },
    { why: 'returns an empty list', secret: () => [] },
    { why: 'throws', secret: () => Promise.reject(new Error('vault is sealed')) },
  ])(
    'leads to 500 when the function $why, because the sender is not at fault',
    async ({ secret }) => {
      const { send, problems } = setUp({ secret });
      expect((await send(signed(oddText(), 'x'))).status).toBe(500);
      expect(problems).toHaveLength(1);
    },
  );

  it('is copied, so that later changes of the list have no effect', async () => {
    const secrets = ['other'];
    const { send } = setUp({ secret: secrets });
    secrets[0] = SECRET;
    expect((await send(signed(oddText()))).status).toBe(401);
  });
});

describe('the log of createWebhookHandler()', () => {
  afterEach(() => void vi.restoreAllMocks());

  it('is console.error by default, without the secret', async () => {
    const print = vi.spyOn(console, 'error').mockImplementation(() => {});
    const webhooks = createWebhookHandler({ secret: SECRET, onEvent: () => {} });
    await webhooks(toRequest(signed(oddText(), 'other')));
    expect(print.mock.calls).toEqual([
      ['OfAge webhook responded with 401:', expect.stringMatching(/^OfAgeError: Cannot verify/)],
    ]);
    expect(JSON.stringify(print.mock.calls)).not.toContain(SECRET);
  });

  it.each([
    { why: 'throws', onProblem: () => { throw new Error('log is full'); } }, // prettier-ignore
    { why: 'rejects', onProblem: () => Promise.reject(new Error('log is full')) },
  ])('does not change the response when onProblem $why', async ({ onProblem }) => {
    const { send } = setUp({ onProblem });
    expect((await send(signed(oddText(), 'other'))).status).toBe(401);
  });
});
