import { afterEach, describe, expect, it, vi } from 'vitest';
import { announcePresence } from '../../../playground/verify/presence.ts';
import { aSession } from './a-session.ts';

afterEach(() => {
  vi.unstubAllGlobals();
});

describe('announcePresence()', () => {
  it.each([true, false, null])('sends present: %s only to the origins of the shop', (present) => {
    const postMessage = vi.fn();
    vi.stubGlobal('window', { opener: { closed: false, postMessage } });
    const messageOrigins = ['https://shop.example', 'https://www.shop.example'];
    const session = aSession({ messageOrigins });
    announcePresence(session, present);
    const { sessionId } = session;
    const message = { type: 'ofage:verification:presence', sessionId, present };
    expect(postMessage.mock.calls).toEqual(messageOrigins.map((origin) => [message, origin]));
  });

  it.each([
    ['no opener', null],
    ['a closed opener', { closed: true }],
  ])('does not throw with %s', (_, opener) => {
    vi.stubGlobal('window', { opener });
    expect(() => announcePresence(aSession(), true)).not.toThrow();
  });
});
