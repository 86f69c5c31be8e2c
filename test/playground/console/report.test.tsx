// @vitest-environment jsdom
import { beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { App } from '../../../playground/console/app.tsx';
import { PAGES, type PageId, toHash } from '../../../playground/console/route.ts';
import { createProvider, type Provider } from '../../../playground/shared/provider.ts';
import { aMock, answered, HOOK, type Mock } from '../../support/a-mock.ts';
import { type KitPage, showPage } from '../shared/kit/a-page.tsx';
import { waitFor } from '../../support/wait-for.ts';

// jsdom has neither.
Element.prototype.scrollTo = () => {};
HTMLDialogElement.prototype.close = () => {};

// Once opened, the timeline follows its service until the document is closed, and says that it has ended.
beforeEach(() => void vi.spyOn(console, 'debug').mockImplementation(() => undefined));

interface Console extends Pick<Mock, 'create' | 'tenantId'> {
  readonly page: KitPage;
  readonly provider: Provider;
  /** The paths of the control API that were read, in order. */
  readonly read: readonly string[];
  countReports(): number;
  open(page: PageId): Promise<void>;
  /** Makes later reads of the report wait. @returns a function that lets them go on */
  holdReports(): () => void;
}

const TITLES = new Map(PAGES.map(({ id, name }) => [id, name]));

/** Creates a mock whose account has done the first steps, with which the overview would ask more often. */
async function aConnectedMock(): Promise<Mock> {
  const my = await aMock({ endpoints: [{ url: HOOK }] });
  const { sessionId } = await my.create();
  await askForResult(my, sessionId);
  await my.clock.advance(0);
  return my;
}

const askForResult = (my: Mock, sessionId: string) =>
  my.request('/api/v1/sessions/validate', { key: my.secretKey, body: { sessionId } });

/** Shows a page of the console, at a mock with one session. */
async function aConsole(first: PageId, mock?: Mock): Promise<Console> {
  const my = mock ?? (await aConnectedMock());
  const read: string[] = [];
  let held: Promise<void> | undefined;
  const provider = createProvider({
    apiOrigin: my.service.apiOrigin,
    async fetch(request) {
      const path = new URL(request.url).pathname.replace('/control/v1', '');
      if (request.method === 'GET') read.push(path);
      if (path === '/doctor') await held;
      return my.service.fetch(request);
    },
  });
  const open = async (id: PageId): Promise<void> => {
    await page.act(() => {
      location.hash = toHash({ page: id });
      // jsdom sends the event later.
      window.dispatchEvent(new Event('hashchange'));
    });
    await waitFor(() => expect(page.get('h1').textContent).toBe(TITLES.get(id)));
  };
  location.hash = toHash({ page: first });
  const page = await showPage(<App provider={provider} />);
  onTestFinished(() => page.show(null));
  await waitFor(() => expect(page.get('h1').textContent).toBe(TITLES.get(first)));
  return {
    page,
    provider,
    read,
    open,
    create: my.create,
    tenantId: my.tenantId,
    countReports: () => read.filter((path) => path === '/doctor').length,
    holdReports() {
      let letGo = (): void => {};
      held = new Promise((resolve) => (letGo = resolve));
      return letGo;
    },
  };
}

const READERS: readonly PageId[] = ['overview', 'doctor'];

it.each(PAGES.filter(({ id }) => !READERS.includes(id)))(
  'the page $name never asks for the report of the doctor',
  async ({ id }) => {
    const my = await aConsole(id);
    await my.create();
    await my.provider.client.updateTenant(my.tenantId, { name: 'Shop B' });
    await waitFor(() => expect(my.page.get('select').textContent).toContain('Shop B'));
    expect(my.read.length).toBeGreaterThan(0);
    expect(my.countReports()).toBe(0);
  },
);

it.each(READERS)(
  'the page %s asks for the report when it is opened and by its button, and at no other time',
  async (id) => {
    const my = await aConsole(id);
    const age = () => my.page.get('[data-testid=report-age]').textContent;
    await waitFor(() => expect(age()).toMatch(/^Checked 2026-01-01 00:00:00 UTC \(now\)$/));
    expect(my.countReports()).toBe(1);

    // The last message of these changes: requests are written a little later, or when somebody reads them.
    const isLogged = new Promise<void>((letGo) => {
      my.provider.live.onMessage(({ topic }) => {
        if (topic === 'request') letGo();
      });
    });
    await my.provider.client.createKeyPair(my.tenantId);
    await my.create();
    await isLogged;
    await waitFor(() => expect(age()).toMatch(/\. Something may have changed since\.$/));
    expect(my.countReports()).toBe(1);

    await my.page.act(() => my.page.get('[data-testid=recheck]').click());
    await waitFor(() => expect(age()).not.toContain('changed'));
    expect(my.countReports()).toBe(2);

    await my.open('keys');
    await my.open(id);
    await waitFor(() => expect(age()).toContain('Checked'));
    expect(my.countReports()).toBe(3);
  },
);

it('the doctor computes its own report when it is opened from the overview', async () => {
  const my = await aConsole('overview');
  await waitFor(() => expect(my.page.has('[data-testid=report-age]')).toBe(true));
  await my.open('doctor');
  await waitFor(() => expect(my.page.has('[data-testid=verdict]')).toBe(true));
  expect(my.countReports()).toBe(2);
});

it.each(READERS)('no action on the page %s waits for the report', async (id) => {
  const my = await aConsole(id);
  await waitFor(() => expect(my.page.has('[data-testid=report-age]')).toBe(true));
  const letGo = my.holdReports();
  await my.page.act(() => my.page.get('[data-testid=recheck]').click());
  await waitFor(() => expect(my.countReports()).toBe(2));
  await my.provider.client.updateTenant(my.tenantId, { name: 'Shop B' });
  expect(my.page.get('select').textContent).toContain('Shop B');
  // A read that waits too long is given up and repeated.
  expect(my.countReports()).toBe(2);
  letGo();
});

it('the first steps are done one by one as the traffic of a page, a server and an endpoint arrives', async () => {
  const mock = await aMock();
  const { page, provider } = await aConsole('overview', mock);
  const readDone = (): (string | undefined)[] =>
    [...document.querySelectorAll<HTMLElement>('[data-testid=step][data-done=true]')].map(
      ({ dataset }) => dataset['code'],
    );
  await waitFor(() => expect(page.has('[data-testid=first-steps]')).toBe(true));
  expect(readDone()).toEqual([]);
  // A session of the console is not traffic of the merchant.
  await provider.client.trigger({ name: 'verified' });
  const { sessionId } = await mock.create();
  await waitFor(() => expect(readDone()).toEqual(['key_unused', 'page_unused']));
  await askForResult(mock, sessionId);
  const asked = ['key_unused', 'page_unused', 'result_unasked'];
  await waitFor(() => expect(readDone()).toEqual(asked));
  await provider.client.createEndpoint(mock.tenantId, { url: HOOK });
  await mock.create();
  await mock.clock.advance(0);
  await waitFor(() => expect(readDone()).toEqual([...asked, 'webhook_unreceived']));
});

it('the step of the webhook names the endpoint that exists and has not accepted one', async () => {
  const mock = await aMock({ answer: () => answered(401) });
  const { page, provider } = await aConsole('overview', mock);
  const readStep = (): string | null =>
    page.has('[data-code=webhook_unreceived]')
      ? page.get('[data-code=webhook_unreceived]').textContent
      : null;
  // The demo shop's own endpoint is none of the user.
  const demo = { url: 'https://shop.example/hooks?ofage_demo' };
  await provider.client.createEndpoint(mock.tenantId, demo);
  await waitFor(() =>
    expect(readStep()).toContain('The endpoint of the demo shop does not count.'),
  );
  const { id } = await provider.client.createEndpoint(mock.tenantId, { url: HOOK });
  await mock.create();
  await mock.clock.advance(0);
  await waitFor(() => expect(readStep()).toContain(`${HOOK} has not accepted one yet`));
  expect(page.get('[data-code=webhook_unreceived] a').getAttribute('href')).toBe(`#webhooks/${id}`);
});

it('the overview shows what needs attention only if something does', async () => {
  const mock = await aMock();
  const { page, provider } = await aConsole('overview', mock);
  await waitFor(() => expect(page.has('[data-testid=first-steps]')).toBe(true));
  expect(page.has('[data-testid=attention]')).toBe(false);
  await provider.client.addFault({ operation: 'create', fault: '503', count: 1 });
  await waitFor(() => expect(page.has('[data-testid=attention]')).toBe(true));
  await provider.client.clearFaults();
  await waitFor(() => expect(page.has('[data-testid=attention]')).toBe(false));
});

it('the results come before the first steps, but not the first results of an open page', async () => {
  const mock = await aMock();
  const { page, open } = await aConsole('overview', mock);
  const readPanels = (): (string | undefined)[] =>
    [...document.querySelectorAll<HTMLElement>('main .panel')].map(
      ({ dataset }) => dataset['testid'],
    );
  await waitFor(() => expect(readPanels()).toEqual(['first-steps']));
  await mock.create();
  await waitFor(() => expect(readPanels()).toEqual(['first-steps', 'outcomes', 'latest']));
  await open('keys');
  await open('overview');
  await waitFor(() => expect(page.has('[data-testid=latest]')).toBe(true));
  expect(readPanels()).toEqual(['outcomes', 'latest', 'first-steps']);
});

it('a first step shows its content while the page is open, and only its title if it was done before', async () => {
  const mock = await aMock();
  const { page, provider, open } = await aConsole('overview', mock);
  const readKeys = (): string | null =>
    page.has('[data-code=key_unused]') ? page.get('[data-code=key_unused]').textContent : null;
  await waitFor(() => expect(readKeys()).toContain('OFAGE_SECRET_KEY'));
  await mock.create();
  await waitFor(() => expect(readKeys()).toContain('done'));
  expect(readKeys()).toContain('OFAGE_SECRET_KEY');
  await open('keys');
  await provider.client.trigger({ name: 'verified' });
  await open('overview');
  await waitFor(() => expect(readKeys()).toBe('Copy the keys to your server done'));
});

it('the first steps do not say that a webhook arrived before the demo shop has received one', async () => {
  const url = 'https://shop.ofage.example/shop/webhooks/ofage';
  const mock = await aMock({ endpoints: [{ url }] });
  const { page } = await aConsole('overview', mock);
  const isDone = (): string | undefined =>
    page.has('[data-code=webhook_unreceived]')
      ? page.get('[data-code=webhook_unreceived]').dataset['done']
      : undefined;
  await waitFor(() => expect(isDone()).toBe('false'));
  await mock.create();
  await mock.clock.advance(0);
  await waitFor(() => expect(isDone()).toBe('true'));
});
