import { startMockServer } from 'ofage/mock/node';
import { createClient } from 'ofage/server';
import {
  playwrightFixtures,
  type PageLike,
  type PlaywrightAccount,
  type RouteLike,
} from 'ofage/testing';
import { describe, expect, it } from 'vitest';

// test/e2e/testing.spec.ts tests the fixtures in Playwright itself.
const fixtures = playwrightFixtures({ startMockServer });
const [ofageServer] = fixtures.ofageServer;

it('the ofage fixture in Playwright clears faults and resumes the clock before the worker’s next test', async () => {
  await ofageServer({}, async (server) => {
    await fixtures.ofage({ ofageServer: server }, async ({ control, clock, fault }) => {
      await fault({ operation: 'create', fault: '503', count: 5 });
      // This fault affects every account.
      await control.addFault({ operation: 'create', fault: '500', count: 5 });
      await clock.freeze();
    });
    await fixtures.ofage({ ofageServer: server }, async ({ apiBase, secretKey, clock }) => {
      const client = createClient({ secretKey, baseUrl: apiBase });
      await client.createSession({ returnUrl: 'http://localhost/' });
      expect((await clock.read()).frozen).toBe(false);
    });
  });
});

it('the Playwright fixtures connect to a running mock and do not stop it', async () => {
  const running = await startMockServer({ port: 0 });
  const connected = playwrightFixtures({ baseUrl: running.controlBase });
  const [connect] = connected.ofageServer;
  await connect({}, async (server) => {
    expect(server).toMatchObject({
      apiBase: running.apiBase,
      controlBase: running.controlBase,
      sdkUrl: running.sdkUrl,
    });
    await connected.ofage({ ofageServer: server }, async (account) => {
      const client = createClient({ secretKey: account.secretKey, baseUrl: account.apiBase });
      const { sessionId } = await client.createSession({ returnUrl: 'http://localhost/' });
      expect(await account.settle('verified')).toMatchObject({ id: sessionId, status: 'verified' });
      expect(account.tenantId).not.toBe(running.tenantId);
    });
  });
  expect(await running.control.tenants()).toHaveLength(2);
  await running.close();
});

/** A page whose requests pass through its routes, the newest first, as in Playwright. */
class RoutedPage implements PageLike {
  readonly #routes: { url: string | RegExp; handler: (route: RouteLike) => Promise<void> }[] = [];

  async route(url: string | RegExp, handler: (route: RouteLike) => Promise<void>): Promise<void> {
    this.#routes.unshift({ url, handler });
  }

  /** Returns the response of the routes, or null if the request would leave the browser. */
  async request(url: string, init: { headers?: Record<string, string>; body?: object } = {}) {
    const { headers = {}, body } = init;
    for (const route of this.#routes) {
      const prefix = String(route.url).replace('**', '');
      if (route.url instanceof RegExp ? !route.url.test(url) : !url.startsWith(prefix)) continue;
      let response: Response | null = null;
      await route.handler({
        request: () => ({ url: () => url, headers: () => headers }),
        fetch: (to) =>
          fetch(to.url, {
            headers: to.headers,
            ...(body && { method: 'POST', body: JSON.stringify(body) }),
          }),
        fulfill: async (answer) => void (response = answer.response),
        fallback: async () => {},
      });
      if (response) return response as Response;
    }
    return null;
  }
}

describe('intercept() of the Playwright account', () => {
  const withPage = (run: (page: RoutedPage, account: PlaywrightAccount) => Promise<void>) =>
    ofageServer({}, (server) =>
      fixtures.ofage({ ofageServer: server }, async (account) => {
        const page = new RoutedPage();
        await account.intercept(page);
        await run(page, account);
      }),
    );
  const session = {
    headers: { authorization: 'Bearer pk_of_the_page', 'content-type': 'application/json' },
    body: { returnUrl: 'http://localhost/' },
  };

  it.each([
    ['the production API', 'https://api.ofage.example'],
    ['the staging API', 'https://api.staging.ofage.example'],
    ['another mock', 'http://127.0.0.1:4010'],
    ['a mock at the name localhost', 'http://localhost:5610'],
    ['a proxy of the merchant', 'https://age.shop.example'],
  ])('answers for %s with the key of the test', (_, origin) =>
    withPage(async (page, { sessions }) => {
      const response = await page.request(`${origin}/api/v1/sessions/create`, session);
      expect(response?.status).toBe(201);
      expect(await sessions()).toHaveLength(1);
    }),
  );

  it('gives a page that loads the script of another mock the one of its own', () =>
    withPage(async (page, { sdkUrl }) => {
      const own = await fetch(sdkUrl);
      const response = await page.request('http://127.0.0.1:4010/sdk.min.js');
      expect(response?.url).toBe(own.url);
    }));

  it("leaves a shop's own route with the same path alone", () =>
    withPage(async (page) => {
      const url = 'http://localhost:3000/api/v1/sessions/create';
      expect(await page.request(url, { body: {} })).toBeNull();
      expect(await page.request('http://localhost:3000/api/v1/basket', session)).toBeNull();
    }));
});
