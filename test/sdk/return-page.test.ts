import { describe, expect, it, vi } from 'vitest';
import { handleReturn } from 'ofage';
import { MESSAGE_TYPE, PRESENCE_TYPE, RELAY_TYPE } from '../../src/brand.ts';
import {
  enterWorld,
  FakeChannel,
  leaveWorld,
  newOfAge,
  SESSION_ID,
  useWorld,
  watch,
  world,
} from './world.ts';

useWorld();

const RETURNED = `https://merchant.example/return?order=42&sessionId=${SESSION_ID}&status=verified&timestamp=1760000000000`;

describe('reading the address', () => {
  it.each([
    [
      'all parameters',
      `${RETURNED}&externalUserId=a%2Bb`,
      {
        status: 'verified',
        sessionId: SESSION_ID,
        timestamp: 1760000000000,
        externalUserId: 'a+b',
      },
    ],
    [
      'no externalUserId',
      RETURNED,
      { status: 'verified', sessionId: SESSION_ID, timestamp: 1760000000000 },
    ],
    [
      'a fragment behind',
      `${RETURNED}#done`,
      { status: 'verified', sessionId: SESSION_ID, timestamp: 1760000000000 },
    ],
    [
      'the merchant’s own status in front',
      `https://m.example/?status=open&sessionId=${SESSION_ID}&status=failed`,
      { status: 'failed', sessionId: SESSION_ID },
    ],
    [
      'a broken timestamp',
      `https://m.example/?sessionId=${SESSION_ID}&status=failed&timestamp=soon`,
      { status: 'failed', sessionId: SESSION_ID },
    ],
    ['no parameters', 'https://merchant.example/return', null],
    ['no session', 'https://merchant.example/return?status=verified', null],
    [
      'another status',
      `https://merchant.example/return?sessionId=${SESSION_ID}&status=granted`,
      null,
    ],
    [
      'parameters in the fragment only',
      `https://m.example/#?sessionId=${SESSION_ID}&status=verified`,
      null,
    ],
    ['a session that is no identifier', 'https://m.example/?sessionId=%00&status=verified', null],
  ])('%s', (_, url, expected) => {
    const read = handleReturn(url);
    if (expected) expect(read).toEqual(expected);
    else expect(read).toBeNull();
  });

  it('reads the page’s own address by default', () => {
    leaveWorld();
    enterWorld(RETURNED);
    expect(handleReturn()).toMatchObject({ sessionId: SESSION_ID });
  });

  it('reads an address relative to the page, as routers give it', () => {
    expect(handleReturn(`/return?sessionId=${SESSION_ID}&status=failed`)).toMatchObject({
      status: 'failed',
    });
  });

  it('closes its channel, whether or not anybody was there', async () => {
    handleReturn(RETURNED);
    expect(FakeChannel.open.size).toBe(1);
    await world.elapse(3000);
    expect(FakeChannel.open.size).toBe(0);
  });
});

describe('telling the page that waits', () => {
  it('over the channel; the answer closes the return page’s window', async () => {
    const close = vi.fn();
    vi.stubGlobal('close', close);
    const seen = watch(newOfAge().verify());
    await world.elapse(0);
    handleReturn(RETURNED);
    await world.elapse(0);
    expect(seen.value).toEqual({
      status: 'verified',
      sessionId: SESSION_ID,
      timestamp: 1760000000000,
    });
    expect(close).toHaveBeenCalled();
  });

  it.each([MESSAGE_TYPE, PRESENCE_TYPE, 'ofage:return2', '', undefined])(
    'the channel carries the return page’s word alone, not a message of type %j',
    async (type) => {
      const seen = watch(newOfAge().verify());
      await world.elapse(0);
      world.relay({ type, status: 'verified' });
      await world.elapse(0);
      expect(seen.state).toBe('pending');
      world.relay({ status: 'failed' });
      await world.elapse(0);
      expect(seen.value).toMatchObject({ status: 'failed' });
    },
  );

  it('nobody waits in redirect mode: nothing is closed', async () => {
    const close = vi.fn();
    vi.stubGlobal('close', close);
    handleReturn(RETURNED);
    await world.elapse(5000);
    expect(close).not.toHaveBeenCalled();
  });

  it('a second return page of the session, open beside it, closes nothing', async () => {
    const close = vi.fn();
    vi.stubGlobal('close', close);
    handleReturn(RETURNED);
    handleReturn(RETURNED);
    await world.elapse(5000);
    expect(close).not.toHaveBeenCalled();
  });

  it('a forged address reaches nobody: the channel’s name is the session', async () => {
    const seen = watch(newOfAge().verify());
    await world.elapse(0);
    handleReturn(RETURNED.replace(SESSION_ID, '00000000-0000-4000-8000-000000000000'));
    await world.elapse(100);
    expect(seen.state).toBe('pending');
  });

  it('sends to an opener of its own origin only', () => {
    const postMessage = vi.fn();
    vi.stubGlobal('opener', { postMessage });
    handleReturn(RETURNED);
    expect(postMessage.mock.calls).toEqual([
      [
        { type: RELAY_TYPE, sessionId: SESSION_ID, status: 'verified', timestamp: 1760000000000 },
        'https://merchant.example',
      ],
    ]);
  });

  it('without BroadcastChannel the opener is still told, and nothing throws', () => {
    vi.stubGlobal('BroadcastChannel', undefined);
    const postMessage = vi.fn();
    vi.stubGlobal('opener', { postMessage });
    expect(handleReturn(RETURNED)).toMatchObject({ status: 'verified' });
    expect(postMessage).toHaveBeenCalledOnce();
  });

  it('an opener that refuses does not matter', () => {
    vi.stubGlobal('opener', {
      postMessage() {
        throw new SyntaxError('origin null');
      },
    });
    expect(handleReturn(RETURNED)).toMatchObject({ status: 'verified' });
  });

  it('the waiting page hears the opener message of its own origin, from its own window', async () => {
    const seen = watch(newOfAge().verify());
    await world.elapse(0);
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

  it('the hosted page cannot speak for the return page, nor the return page for it', async () => {
    const seen = watch(newOfAge().verify());
    await world.elapse(0);
    world.message({ type: RELAY_TYPE, status: 'verified' });
    world.message({ type: RELAY_TYPE, status: 'verified' }, { origin: 'https://evil.example' });
    world.message({ status: 'verified' }, { origin: 'https://merchant.example' });
    await world.elapse(0);
    expect(seen.state).toBe('pending');
  });
});
