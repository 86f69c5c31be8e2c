import { describe, expect, it, vi } from 'vitest';
import { handleReturn } from 'ofage';
import { MESSAGE_TYPE, PRESENCE_TYPE, RELAY_TYPE } from '../../src/brand.ts';
import { begin, FakeChannel, SESSION_ID, useWorld, world } from './world.ts';

useWorld();

const RETURNED = `https://merchant.example/return?order=42&sessionId=${SESSION_ID}&status=verified&timestamp=1760000000000`;

const RESULT = { status: 'verified', sessionId: SESSION_ID, timestamp: 1760000000000 };

describe('handleReturn()', () => {
  it.each([
    ['all parameters', `${RETURNED}&externalUserId=a%2Bb`, { ...RESULT, externalUserId: 'a+b' }],
    ['no externalUserId', RETURNED, RESULT],
    ['a fragment', `${RETURNED}#done`, RESULT],
    [
      'an earlier status parameter of the merchant',
      `https://m.example/?status=open&sessionId=${SESSION_ID}&status=failed`,
      { status: 'failed', sessionId: SESSION_ID },
    ],
    [
      'a broken timestamp',
      `https://m.example/?sessionId=${SESSION_ID}&status=failed&timestamp=soon`,
      { status: 'failed', sessionId: SESSION_ID },
    ],
    ['no parameters', 'https://m.example/return', null],
    ['no session', 'https://m.example/return?status=verified', null],
    ['another status', `https://m.example/?sessionId=${SESSION_ID}&status=granted`, null],
    ['only a fragment', `https://m.example/#?sessionId=${SESSION_ID}&status=verified`, null],
    ['an invalid sessionId', 'https://m.example/?sessionId=%00&status=verified', null],
  ])('returns the right result for an address with %s', (_, url, expected) => {
    expect(handleReturn(url)).toEqual(expected);
  });

  it('reads the page’s address if no argument is passed', () => {
    vi.stubGlobal('location', new URL(RETURNED));
    expect(handleReturn()).toMatchObject({ sessionId: SESSION_ID });
  });

  it('resolves a relative address, as routers return it, against the page', () => {
    expect(handleReturn(`/return?sessionId=${SESSION_ID}&status=failed`)).toMatchObject({
      status: 'failed',
    });
  });

  it('notifies the waiting page over the channel, and closes its window when the page confirms', async () => {
    const close = vi.fn();
    vi.stubGlobal('close', close);
    const seen = await begin();
    handleReturn(RETURNED);
    await world.elapse(0);
    expect(seen.value).toEqual(RESULT);
    expect(close).toHaveBeenCalled();
  });

  it.each([
    ['in redirect mode, where no page waits', 1],
    ['if two return pages of one session are open', 2],
  ])('keeps its window open %s', async (_, pages) => {
    const close = vi.fn();
    vi.stubGlobal('close', close);
    for (let n = 0; n < pages; n += 1) handleReturn(RETURNED);
    await world.elapse(5000);
    expect(close).not.toHaveBeenCalled();
  });

  it('does not notify a page that waits for another session, because the session id names the channel', async () => {
    const seen = await begin();
    handleReturn(RETURNED.replace(SESSION_ID, '00000000-0000-4000-8000-000000000000'));
    await world.elapse(100);
    expect(seen.state).toBe('pending');
  });

  it.each([true, false])(
    'notifies the opener, with the page’s own origin as the target (with BroadcastChannel: %s)',
    (hasChannels) => {
      if (!hasChannels) vi.stubGlobal('BroadcastChannel', undefined);
      const postMessage = vi.fn();
      vi.stubGlobal('opener', { postMessage });
      expect(handleReturn(RETURNED)).toEqual(RESULT);
      const message = { type: RELAY_TYPE, ...RESULT };
      expect(postMessage.mock.calls).toEqual([[message, 'https://merchant.example']]);
    },
  );

  it('succeeds if the opener’s postMessage throws', () => {
    vi.stubGlobal('opener', {
      postMessage() {
        throw new SyntaxError('origin null');
      },
    });
    expect(handleReturn(RETURNED)).toMatchObject({ status: 'verified' });
  });

  it('closes its channel when no page responds', async () => {
    handleReturn(RETURNED);
    expect(FakeChannel.open.size).toBe(1);
    await world.elapse(3000);
    expect(FakeChannel.open.size).toBe(0);
  });
});

describe('a page that waits for a return page', () => {
  it.each([MESSAGE_TYPE, PRESENCE_TYPE, 'ofage:return2', '', undefined])(
    'ignores channel messages of type %j',
    async (type) => {
      const seen = await begin();
      world.relay({ type, status: 'verified' });
      await world.elapse(0);
      expect(seen.state).toBe('pending');
      world.relay({ status: 'failed' });
      await world.elapse(0);
      expect(seen.value).toMatchObject({ status: 'failed' });
    },
  );

  it('accepts a return message only from the window that it opened', async () => {
    const seen = await begin();
    world.message(
      { type: RELAY_TYPE, status: 'verified' },
      { origin: 'https://merchant.example', source: {} },
    );
    await world.elapse(0);
    expect(seen.state).toBe('pending');
    world.message({ type: RELAY_TYPE, status: 'verified' }, { origin: 'https://merchant.example' });
    await world.elapse(0);
    expect(seen.value).toMatchObject({ status: 'verified' });
  });

  it('accepts neither return messages from other origins nor messages of the hosted page from its own origin', async () => {
    const seen = await begin();
    world.message({ type: RELAY_TYPE, status: 'verified' });
    world.message({ type: RELAY_TYPE, status: 'verified' }, { origin: 'https://evil.example' });
    world.message({ status: 'verified' }, { origin: 'https://merchant.example' });
    await world.elapse(0);
    expect(seen.state).toBe('pending');
  });
});
