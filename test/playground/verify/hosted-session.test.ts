import { describe, expect, it } from 'vitest';
import { parseHostedSession } from '../../../playground/verify/hosted-session.ts';
import { aSession } from './a-session.ts';

describe('parseHostedSession', () => {
  it('parses a valid session unchanged', () => {
    const session = aSession({ billingBlock: { code: 'PLAN_LIMIT_REACHED', message: 'Used up' } });
    expect(parseHostedSession(JSON.parse(JSON.stringify(session)))).toEqual(session);
  });

  it.each([
    { body: null, why: 'null' },
    { body: { ...aSession(), status: 'done' }, why: 'an unknown status' },
    {
      body: { ...aSession(), returnUrl: 'javascript:alert(1)' },
      why: 'a javascript: URL as returnUrl',
    },
    {
      body: { ...aSession(), cancelUrl: 'data:text/html,x' },
      why: 'a data: URL as cancelUrl',
    },
    { body: { ...aSession(), returnUrl: '/return' }, why: 'a relative returnUrl' },
    { body: { ...aSession(), handoffUrl: 'data:,x' }, why: 'a data: URL as handoffUrl' },
    { body: { ...aSession(), messageOrigins: ['*'] }, why: 'any origin as a receiver of messages' },
    { body: { ...aSession(), messageOrigins: undefined }, why: 'no receivers of messages' },
    { body: { ...aSession(), activeDevice: 'third' }, why: 'an unknown device' },
    { body: { ...aSession(), sessionId: 7 }, why: 'a field of the wrong type' },
  ])('rejects $why', ({ body }) => expect(() => parseHostedSession(body)).toThrow(TypeError));

  it('uses the host of returnUrl as the name of a shop without a name', () => {
    const session = parseHostedSession({ ...aSession(), merchantName: null });
    expect(session.merchantName).toBe('shop.example');
  });
});
