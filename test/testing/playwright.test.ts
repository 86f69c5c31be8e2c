import { startMockServer, type MockServer, type MockServerOptions } from 'ofage-mock/node';
import { createClient } from 'ofage/server';
import {
  playwrightFixtures,
  type MockServerLike,
  type PageLike,
  type PlaywrightAccount,
  type RouteLike,
} from 'ofage-mock/testing';
import { describe, expect, it } from 'vitest';
import { createSession } from '../support/api.ts';
import { findFreePort } from '../support/free-port.ts';
import { recordChanges } from '../../mock-server/testing/recorded-changes.ts';

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

it('a worker stops the server that it started', async () => {
  let apiBase = '';
  await ofageServer({}, async (server) => {
    ({ apiBase } = server);
    expect((await fetch(apiBase)).status).toBe(404);
  });
  await expect(fetch(apiBase)).rejects.toThrow('fetch failed');
});

describe('the options of each worker’s server', () => {
  it.each<[why: string, options: MockServerOptions | undefined, allowed: boolean]>([
    ['no option', undefined, true],
    ['an option about something else', { seed: 7 }, true],
    ['an option that allows less', { allowLoopbackWebhooks: false }, false],
  ])('are added to those of the fixture: %s', async (_why, options, isAllowed) => {
    const [start] = playwrightFixtures({
      startMockServer,
      ...(options && { options }),
    }).ofageServer;
    // Workers run at the same time, so each has a port of its own.
    await start({}, (first) =>
      start({}, async (second) => {
        expect(first.apiBase).not.toBe(second.apiBase);
        for (const { control } of [first, second]) {
          const [tenant] = await control.tenants();
          const url = 'http://127.0.0.1:3000/webhooks';
          const adding = control.createEndpoint(tenant?.id ?? '', { url });
          const isAdded = await adding.then(
            () => true,
            () => false,
          );
          expect(isAdded).toBe(isAllowed);
        }
      }),
    );
  });

  it('win over those of the fixture', async () => {
    const port = await findFreePort();
    const [start] = playwrightFixtures({ startMockServer, options: { port, seed: 7 } }).ofageServer;
    const keys: string[] = [];
    for (let n = 0; n < 2; n += 1)
      await start({}, async ({ apiBase, control }) => {
        expect(apiBase).toBe(`http://127.0.0.1:${port}/api/v1`);
        const { secret } = await control.createKeyPair((await control.tenants())[0]?.id ?? '');
        keys.push(secret.value);
      });
    expect(new Set(keys).size).toBe(1);
  });
});

describe('the Playwright fixtures on a running mock', () => {
  /** Runs one test in a worker of its own. */
  async function runInWorker(
    { controlBase }: MockServer,
    run: (account: PlaywrightAccount, server: MockServerLike) => Promise<void>,
  ): Promise<void> {
    const connected = playwrightFixtures({ baseUrl: controlBase });
    const [connect] = connected.ofageServer;
    await connect({}, (server) =>
      connected.ofage({ ofageServer: server }, (account) => run(account, server)),
    );
  }

  async function withRunningMock(run: (mock: MockServer) => Promise<void>): Promise<void> {
    const mock = await startMockServer({ port: 0 });
    try {
      await run(mock);
    } finally {
      await mock.close();
    }
  }

  const createStatus = async (account: PlaywrightAccount): Promise<number> =>
    (await createSession(account)).status;

  it('give each test an account of its own, and do not stop the mock', () =>
    withRunningMock(async (mock) => {
      const { apiBase, controlBase, sdkUrl } = mock;
      await runInWorker(mock, async (account, server) => {
        expect(server).toMatchObject({ apiBase, controlBase, sdkUrl });
        const { body } = await createSession(account);
        expect(await account.settle('verified')).toMatchObject({
          id: body.sessionId,
          status: 'verified',
        });
        expect(account.tenantId).not.toBe(mock.tenantId);
        await runInWorker(mock, async (other) => {
          expect(other.tenantId).not.toBe(account.tenantId);
          expect(await other.sessions()).toEqual([]);
        });
      });
      expect((await fetch(sdkUrl)).status).toBe(200);
    }));

  it('leave the faults and the frozen clock of a test alone when a test of another worker ends', () =>
    withRunningMock((mock) =>
      runInWorker(mock, async (account) => {
        await account.fault({ operation: 'create', fault: '503' });
        await account.control.addFault({ operation: 'create', fault: '500' });
        await account.clock.freeze();

        await runInWorker(mock, async (other) => {
          await other.fault({ operation: 'create', fault: '429', count: 5 });
          await other.clock.freeze();
        });

        expect((await account.clock.read()).frozen).toBe(true);
        expect([await createStatus(account), await createStatus(account)]).toEqual([503, 500]);
        expect(await createStatus(account)).toBe(201);
      }),
    ));

  it('undo at the end of a test what it did, and nothing else', () =>
    withRunningMock(async (mock) => {
      const kept = await mock.control.addFault({ operation: 'validate', fault: '503' });
      await runInWorker(mock, async (account) => {
        await account.fault({ operation: 'create', fault: '429', count: 2 });
        await account.fault({ operation: 'hosted', fault: '500' });
        await account.control.addFault({ operation: 'create', fault: '500', count: 2 });
        await account.clock.freeze();
        expect(await createStatus(account)).toBe(429);
      });
      expect(await mock.control.faults()).toEqual([kept]);
      expect((await mock.clock.read()).frozen).toBe(false);
    }));

  it('undo the rest if the mock refuses to undo one of the changes', () =>
    withRunningMock(async (mock) => {
      const clock = { ...mock.clock, resume: () => Promise.reject(new Error('no answer')) };
      const recorded = recordChanges(mock.control, clock);
      await recorded.clock.freeze();
      await recorded.control.addFault({ operation: 'create', fault: '500', count: 5 });
      await expect(recorded.undo()).rejects.toThrow('no answer');
      expect(await mock.control.faults()).toEqual([]);
    }));

  it('end a test without an error whose faults were used up or deleted', () =>
    withRunningMock((mock) =>
      runInWorker(mock, async (account) => {
        await account.fault({ operation: 'create', fault: '503' });
        expect(await createStatus(account)).toBe(503);
        const { id } = await account.fault({ operation: 'create', fault: '503' });
        await account.control.deleteFault(id);
      }),
    ));

  it('leave a mock frozen that was frozen before the test froze it', () =>
    withRunningMock(async (mock) => {
      await mock.clock.freeze();
      await runInWorker(mock, async ({ clock }) => void (await clock.freeze()));
      expect((await mock.clock.read()).frozen).toBe(true);
    }));

  it('leave the clock alone that a test resumed and another worker froze afterwards', () =>
    withRunningMock(async (mock) => {
      await runInWorker(mock, async ({ clock }) => {
        await clock.freeze();
        await clock.resume();
        await mock.clock.freeze();
      });
      expect((await mock.clock.read()).frozen).toBe(true);
    }));
});

/** A page whose requests pass through its routes, the newest first, as in Playwright. */
class RoutedPage implements PageLike {
  readonly #routes: { url: string | RegExp; handler: (route: RouteLike) => Promise<void> }[] = [];

  async route(url: string | RegExp, handler: (route: RouteLike) => Promise<void>): Promise<void> {
    this.#routes.unshift({ url, handler });
  }

  handlers(): ((route: RouteLike) => Promise<void>)[] {
    return this.#routes.map(({ handler }) => handler);
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
        async fulfill(answer) {
          response = answer.response;
        },
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

  it('answers for another mock also if the key is in x-api-key', () =>
    withPage(async (page) => {
      const headers = { 'x-api-key': 'pk_of_the_page', 'content-type': 'application/json' };
      const url = 'http://127.0.0.1:4010/api/v1/sessions/create';
      expect((await page.request(url, { ...session, headers }))?.status).toBe(201);
    }));

  it('gives a page that loads the script of another mock the one of its own', () =>
    withPage(async (page, { sdkUrl }) => {
      const own = await fetch(sdkUrl);
      const response = await page.request('http://127.0.0.1:4010/sdk.min.js');
      expect(response?.url).toBe(own.url);
    }));

  it('answers for a page and for its context, which has the other windows', () =>
    ofageServer({}, (server) =>
      fixtures.ofage({ ofageServer: server }, async (account) => {
        const [page, context] = [new RoutedPage(), new RoutedPage()];
        await account.intercept(Object.assign(page, { context: () => context }));
        const url = 'https://api.ofage.example/api/v1/sessions/create';
        for (const one of [page, context])
          expect((await one.request(url, session))?.status).toBe(201);
      }),
    ));

  it.each(['localhost:5610', '[::1]:5610'])('does so for the mock at %s', (host) =>
    withPage(async (page) => {
      for (const name of ['sdk', 'ofage'])
        expect((await page.request(`http://${host}/${name}.min.js`))?.status).toBe(200);
    }),
  );

  const route = (parts: Partial<RouteLike>): RouteLike => ({
    request: () => ({
      url: () => 'https://api.ofage.example/api/v1/sessions/create',
      headers: () => ({}),
    }),
    fetch: async () => ({}),
    fulfill: async () => {},
    fallback: async () => {},
    ...parts,
  });
  const fail = (message: string) => () => Promise.reject(new Error(message));

  it.each([
    ['while the mock answers', { fetch: fail('route.fetch: Test ended.') }],
    [
      'while the mock answers a page that the test closes',
      { fetch: fail('route.fetch: Target page, context or browser has been closed') },
    ],
    [
      'just after the mock has answered',
      { fulfill: fail('route.fulfill: Fetch response has been disposed') },
    ],
  ])('lets a test end %s', (_, parts) =>
    withPage(async (page) => {
      for (const handler of page.handlers()) await handler(route(parts));
    }),
  );

  it('fails the test if the mock does not answer', () =>
    withPage(async (page) => {
      const stopped = route({ fetch: fail('route.fetch: connect ECONNREFUSED 127.0.0.1:4010') });
      await expect(page.handlers()[0]?.(stopped)).rejects.toThrow('ECONNREFUSED');
    }));

  it("leaves a shop's own route with the same path alone", () =>
    withPage(async (page) => {
      const url = 'http://localhost:3000/api/v1/sessions/create';
      expect(await page.request(url, { body: {} })).toBeNull();
      expect(await page.request('http://localhost:3000/api/v1/basket', session)).toBeNull();
    }));
});
