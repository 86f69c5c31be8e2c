/** Three real tabs that share one IndexedDB: one state, one clock, and one validation per session. */
import { expect, type Page } from '@playwright/test';
import { ONE_ENGINE } from './scenarios/merchant-page.ts';
import { buildContractPage } from './support/contract-page.ts';
import { test } from './support/test.ts';

let site: Awaited<ReturnType<typeof buildContractPage>>;
// One worker, because each worker would have to build the page.
test.describe.configure({ retries: 0, mode: 'default' });

test.beforeAll(async () => {
  site = await buildContractPage();
});
test.afterAll(() => site.close());

/** Opens three tabs of one browser, each with a separate service on the same database. */
async function openTabs(page: Page): Promise<[Page, Page, Page]> {
  const context = page.context();
  const tabs: [Page, Page, Page] = [page, await context.newPage(), await context.newPage()];
  for (const tab of tabs) {
    await tab.goto(`${site.url}?name=shared`);
    await tab.waitForFunction(() => 'contract' in window);
  }
  return tabs;
}

const call = <T>(tab: Page, part: 'control' | 'clock', method: string, ...values: unknown[]) =>
  tab.evaluate(([part, method, values]) => window.contract.call(part, method, values), [
    part,
    method,
    values,
  ] as const) as Promise<T>;

interface Account {
  id: string;
  key: string;
}

async function anAccount(tab: Page): Promise<Account> {
  const { id } = await call<{ id: string }>(tab, 'control', 'createTenant', {
    rateLimits: { create: 10_000, validate: 10_000 },
  });
  const pair = await call<{ secret: { value: string } }>(tab, 'control', 'createKeyPair', id);
  return { id, key: pair.secret.value };
}

/** Sends a request for each body from the tab, four at a time. Returns each status and body. */
const post = (tab: Page, key: string, operation: string, bodies: readonly object[]) =>
  tab.evaluate(
    async ([key, operation, bodies]) => {
      const answers: { status: number; body: any }[] = [];
      let next = 0;
      const worker = async (): Promise<void> => {
        while (next < bodies.length) {
          const at = next;
          next += 1;
          const { status, text } = await window.contract.send(`/api/v1/sessions/${operation}`, {
            method: 'POST',
            headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
            body: JSON.stringify(bodies[at]),
          });
          answers[at] = { status, body: JSON.parse(text) };
        }
      };
      await Promise.all(Array.from({ length: 4 }, worker));
      return answers;
    },
    [key, operation, bodies] as const,
  );

test('each of 30 sessions is validated once when three tabs race', async ({ page }) => {
  const tabs = await openTabs(page);
  const { key } = await anAccount(tabs[0]);
  const bodies = Array.from({ length: 30 }, () => ({ returnUrl: 'http://localhost/' }));
  const created = await post(tabs[0], key, 'create', bodies);
  const sessions = created.map(({ body }) => ({ sessionId: body.sessionId as string }));
  for (const { sessionId } of sessions) {
    await call(tabs[1], 'control', 'settle', sessionId, 'verified');
  }

  const raced = await Promise.all(tabs.map((tab) => post(tab, key, 'validate', sessions)));
  for (const at of sessions.keys()) {
    const statuses = raced.map((answers) => answers[at]?.status).sort();
    expect(statuses, `session ${at}`).toEqual([200, 400, 400]);
  }
});

test('all tabs share one clock, and a due job runs once', ONE_ENGINE, async ({ page }) => {
  const [a, b, c] = await openTabs(page);
  const { key } = await anAccount(a);
  await call(a, 'clock', 'freeze');
  const created = await post(b, key, 'create', [{ returnUrl: 'http://localhost/' }]);
  const sessionId: string = created[0]?.body.sessionId;
  const { now } = await call<{ now: string }>(b, 'clock', 'advance', 600_000);

  expect(await call(c, 'clock', 'read')).toMatchObject({ now, frozen: true });
  expect(await call(c, 'control', 'session', sessionId)).toMatchObject({ status: 'expired' });
  const events = await call<{ event: string }[]>(a, 'control', 'events', { sessionId });
  expect(events.map(({ event }) => event)).toEqual(['session.started', 'session.timeout']);
});

test('closing a tab during its requests leaves no partial transaction', async ({ page }) => {
  const [a, b, c] = await openTabs(page);
  const { id, key } = await anAccount(a);
  const bodies = Array.from({ length: 2_000 }, () => ({ returnUrl: 'http://localhost/' }));
  // The tab is closed long before it has sent all requests.
  const cut = post(c, key, 'create', bodies).catch(() => 'closed');
  await expect
    .poll(async () => (await call<unknown[]>(a, 'control', 'sessions', { tenantId: id })).length)
    .toBeGreaterThan(5);
  await c.close();
  expect(await cut).toBe('closed');

  const sessions = await call<{ id: string }[]>(b, 'control', 'sessions', {
    tenantId: id,
    limit: 50,
  });
  for (const session of sessions) {
    const filter = { sessionId: session.id };
    // A session and its event are written together or not at all.
    expect(await call(b, 'control', 'events', filter)).toMatchObject([
      { event: 'session.started' },
    ]);
  }
});

test(
  'retries continue in the remaining tabs, and no attempt is sent twice',
  ONE_ENGINE,
  async ({ page }) => {
    test.slow();
    const received: string[] = [];
    await page
      .context()
      .exposeFunction('webhookReceived', (_headers: unknown, bodyText: string) => {
        const { eventId } = JSON.parse(bodyText) as { eventId: string };
        received.push(eventId);
        // The first attempt of each event fails.
        return received.filter((id) => id === eventId).length === 1 ? 503 : 204;
      });
    const [creator, b, c] = await openTabs(page);
    const { id, key } = await anAccount(creator);
    const url = await creator.evaluate(() => window.contract.webhookUrl);
    const endpoint = await call<{ id: string }>(creator, 'control', 'createEndpoint', id, {
      url,
      events: ['verification.completed'],
    });
    const created = await post(
      creator,
      key,
      'create',
      Array.from({ length: 3 }, () => ({ returnUrl: 'http://localhost/' })),
    );
    for (const { body } of created) {
      await call(creator, 'control', 'settle', body.sessionId, 'verified');
    }
    const deliveries = (tab: Page) =>
      call<{ status: string; attempts: { outcome: string | null }[] }[]>(
        tab,
        'control',
        'deliveries',
        {
          endpointId: endpoint.id,
        },
      );
    const finished = async (tab: Page): Promise<string[][]> =>
      (await deliveries(tab)).map(({ attempts }) => attempts.map(({ outcome }) => String(outcome)));
    await expect.poll(() => finished(b)).toEqual([['fail'], ['fail'], ['fail']]);
    await creator.close();

    const both = ['fail', 'ok'];
    await expect.poll(() => finished(c), { timeout: 60_000 }).toEqual([both, both, both]);
    expect((await deliveries(b)).map(({ status }) => status)).toEqual([
      'delivered',
      'delivered',
      'delivered',
    ]);
    // Each event reached the receiver twice: the failed attempt and one retry.
    const counts = [...new Set(received)].map(
      (event) => received.filter((it) => it === event).length,
    );
    expect(counts).toEqual([2, 2, 2]);
  },
);
