/** The origins to which the hosted page addresses its messages, as its API names them. */
import { describe, expect, it } from 'vitest';
import { aMock } from '../../support/a-mock.ts';

const RETURN_URL = 'https://shop.example/return?a=1';
const RETURN_ORIGIN = 'https://shop.example';

/** Creates a session from a page of the origin, and returns the `messageOrigins` of its hosted page. */
async function messageOriginsFor(origin: string | undefined): Promise<string[]> {
  const my = await aMock();
  const allowedDomains = ['shop.example', '*.shop.example'];
  await my.control.updateTenant(my.tenantId, { allowedDomains });
  const { status, body } = await my.request('/api/v1/sessions/create', {
    key: my.publishableKey,
    ...(origin !== undefined && { headers: { origin } }),
    body: { returnUrl: RETURN_URL },
  });
  expect(status).toBe(201);
  return (await my.hosted('session', body.sessionToken)).body.messageOrigins;
}

describe('the messages of the hosted page are addressed to the origin of returnUrl', () => {
  it.each([
    ['http://localhost:3000', 'on this computer'],
    ['http://127.0.0.1', 'on this computer'],
    ['https://localhost:8443', 'on this computer'],
    ['https://www.shop.example', 'on an allowed domain'],
    ['https://shop.example:8443', 'on an allowed domain, with another port'],
    ['http://shop.example', 'on an allowed domain, with another scheme'],
  ])('and to %s, a page %s that created the session', async (origin) => {
    expect(await messageOriginsFor(origin)).toEqual([RETURN_ORIGIN, origin]);
  });

  it.each<[origin: string | undefined, why: string]>([
    [undefined, 'the request came from a server, or MSW intercepted it'],
    [RETURN_ORIGIN, 'the page has this origin too'],
    ['https://evil.example', 'the account does not allow the domain'],
    ['https://shop.example.evil.example', 'the domain only begins like an allowed one'],
    ['null', 'the page has an opaque origin'],
    ['*', 'the header is no origin'],
    ['chrome-extension://abcdefghijklmnop', 'an extension has no domain'],
    ['file://', 'a file has no domain'],
  ])('only, for the Origin %s, because %s', async (origin) => {
    expect(await messageOriginsFor(origin)).toEqual([RETURN_ORIGIN]);
  });
});
