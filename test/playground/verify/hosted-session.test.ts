import { describe, expect, it } from 'vitest';
import { parseHostedSession } from '../../../playground/verify/hosted-session.ts';
import { aSession } from './a-session.ts';

describe('parseHostedSession', () => {
  it('reads what the service says', () => {
    const session = aSession({ billingBlock: { code: 'PLAN_LIMIT_REACHED', message: 'Used up' } });
    expect(parseHostedSession(JSON.parse(JSON.stringify(session)))).toEqual(session);
  });

  it.each([
    { body: null, why: 'no object' },
    { body: { ...aSession(), status: 'done' }, why: 'an unknown status' },
    {
      body: { ...aSession(), returnUrl: 'javascript:alert(1)' },
      why: 'a returnUrl that runs code',
    },
    {
      body: { ...aSession(), cancelUrl: 'data:text/html,x' },
      why: 'a cancelUrl that is a page itself',
    },
    { body: { ...aSession(), returnUrl: '/return' }, why: 'a relative returnUrl' },
    { body: { ...aSession(), handoffUrl: 'data:,x' }, why: 'a code that is no web address' },
    { body: { ...aSession(), activeDevice: 'third' }, why: 'a device that there is not' },
    { body: { ...aSession(), sessionId: 7 }, why: 'a field of another type' },
  ])('refuses $why', ({ body }) => expect(() => parseHostedSession(body)).toThrow(TypeError));

  it('names a shop without a name by its host', () => {
    const session = parseHostedSession({ ...aSession(), merchantName: null });
    expect(session.merchantName).toBe('shop.example');
  });
});
