import { describe, expect, it } from 'vitest';
import { toEnding } from '../../../playground/verify/ending.ts';
import { aSession } from './a-session.ts';

const SETTLED = { settledAt: '2026-11-21T08:00:00.250Z' } as const;
const AT_MS = Date.parse(SETTLED.settledAt);

describe('toEnding', () => {
  it.each(['pending', 'expired'] as const)('returns null for a session that is %s', (status) => {
    expect(toEnding(aSession({ status }), false)).toBeNull();
  });

  it('includes in the message only the fields that the specification lists', () => {
    const session = aSession({ ...SETTLED, status: 'verified', externalUserId: 'anna' });
    expect(toEnding(session, false)?.message).toEqual({
      type: 'ofage:verification:complete',
      sessionId: session.sessionId,
      status: 'verified',
      timestamp: AT_MS,
      externalUserId: 'anna',
    });
  });

  it.each([
    {
      why: 'keeps the query of returnUrl',
      session: { status: 'verified', returnUrl: 'https://s.example/r?a=~&b' },
      url: `https://s.example/r?a=~&b&sessionId=ID&status=verified&timestamp=${AT_MS}`,
    },
    {
      why: 'appends externalUserId last',
      session: { status: 'failed', returnUrl: 'https://s.example/r', externalUserId: 'a b' },
      url: `https://s.example/r?sessionId=ID&status=failed&timestamp=${AT_MS}&externalUserId=a%20b`,
    },
    {
      why: 'redirects a cancelled verification to cancelUrl, without externalUserId',
      session: {
        status: 'cancelled',
        returnUrl: 'https://s.example/r',
        cancelUrl: 'https://s.example/c?x',
        externalUserId: 'anna',
      },
      url: `https://s.example/c?x&status=cancelled&sessionId=ID&timestamp=${AT_MS}`,
    },
    {
      why: 'redirects a cancelled verification to returnUrl if there is no cancelUrl',
      session: { status: 'cancelled', returnUrl: 'https://s.example/r' },
      url: `https://s.example/r?sessionId=ID&status=cancelled&timestamp=${AT_MS}`,
    },
    {
      why: 'redirects a failed verification to returnUrl despite a cancelUrl',
      session: {
        status: 'failed',
        returnUrl: 'https://s.example/r',
        cancelUrl: 'https://s.example/c',
      },
      url: `https://s.example/r?sessionId=ID&status=failed&timestamp=${AT_MS}`,
    },
  ] as const)('$why', ({ session, url }) => {
    const ending = toEnding(aSession({ ...SETTLED, sessionId: 'ID', ...session }), false);
    expect(ending?.redirectUrl).toBe(url);
  });

  it('skips the success screen but not the failure screen with auto_return', () => {
    expect(toEnding(aSession({ ...SETTLED, status: 'verified' }), true)?.shownMs).toBe(0);
    expect(toEnding(aSession({ ...SETTLED, status: 'verified' }), false)?.shownMs).toBeGreaterThan(
      0,
    );
    expect(toEnding(aSession({ ...SETTLED, status: 'failed' }), true)?.shownMs).toBeGreaterThan(0);
  });
});
