// @vitest-environment jsdom
/** The forms and lists of the console's pages, at a real mock. */
import { expect, it, onTestFinished, vi } from 'vitest';
import { App } from '../../../playground/console/app.tsx';
import { PAGES, type PageId, toHash } from '../../../playground/console/route.ts';
import { createProvider } from '../../../playground/shared/provider.ts';
import { aMock, type Mock } from '../../support/a-mock.ts';
import { type KitPage, showPage } from '../shared/kit/a-page.tsx';
import { waitFor } from '../../support/wait-for.ts';

// jsdom has neither.
Element.prototype.scrollTo = () => {};
HTMLDialogElement.prototype.close = () => {};

const TITLES = new Map(PAGES.map(({ id, name }) => [id, name]));

/** Shows a page of the console. Requests to the paths in `failing` get a status 500. */
async function openPage(id: PageId, mock: Mock, failing: readonly string[] = []): Promise<KitPage> {
  vi.spyOn(console, 'debug').mockImplementation(() => undefined);
  const provider = createProvider({
    apiOrigin: mock.service.apiOrigin,
    async fetch(request) {
      const path = new URL(request.url).pathname.replace('/control/v1', '');
      if (failing.includes(path)) return Response.json({ message: 'Broken' }, { status: 500 });
      return mock.service.fetch(request);
    },
  });
  location.hash = toHash({ page: id });
  const page = await showPage(<App provider={provider} />);
  onTestFinished(() => page.show(null));
  await waitFor(() => expect(page.get('h1').textContent).toBe(TITLES.get(id)));
  return page;
}

async function go(page: KitPage, hash: string): Promise<void> {
  await page.act(() => {
    location.hash = hash;
    // jsdom sends the event later.
    window.dispatchEvent(new Event('hashchange'));
  });
}

async function choose(page: KitPage, css: string, value: string): Promise<void> {
  await page.act(() => {
    const select = page.get<HTMLSelectElement>(css);
    select.value = value;
    for (const type of ['input', 'change'])
      select.dispatchEvent(new Event(type, { bubbles: true }));
  });
}

function buttonsWith(text: string): HTMLButtonElement[] {
  return [...document.querySelectorAll('button')].filter((one) => one.textContent === text);
}

it('no list of the page Simulate has a choice twice', async () => {
  const page = await openPage('simulate', await aMock());
  await waitFor(() => expect(page.has('[data-testid=billing-code]')).toBe(true));
  for (const select of document.querySelectorAll<HTMLSelectElement>('main select')) {
    const texts = [...select.options].map(({ text }) => text);
    expect(new Set(texts).size).toBe(texts.length);
  }
});

it('the form for a fault adds what it shows, also the second time', async () => {
  const mock = await aMock();
  const page = await openPage('simulate', mock);
  await waitFor(() => expect(page.has('[data-testid=fault-kind]')).toBe(true));
  await choose(page, '[data-testid=fault-operation]', 'validate');
  await choose(page, '[data-testid=fault-kind]', 'slow');
  for (let count = 1; count <= 2; count += 1) {
    const shown = ['operation', 'kind'].map(
      (name) => page.get<HTMLSelectElement>(`[data-testid=fault-${name}]`).value,
    );
    await page.act(() => buttonsWith('Add fault')[0]?.click());
    await waitFor(async () => expect(await mock.control.faults()).toHaveLength(count));
    const added = (await mock.control.faults()).at(-1)!;
    expect([added.operation, added.fault]).toEqual(shown);
    await waitFor(() => expect(buttonsWith('Add fault')[0]?.ariaDisabled).not.toBe('true'));
    await page.act(() => undefined);
  }
});

it('a member is removed without another one of the same email', async () => {
  const mock = await aMock();
  const members = (['owner', 'admin', 'developer'] as const).map((role) => ({
    email: 'team@shop.example',
    role,
  }));
  await mock.control.updateTenant(mock.tenantId, { members });
  const page = await openPage('settings', mock);
  const rows = () => [...document.querySelectorAll('[data-testid=members] li')];
  await waitFor(() => expect(rows()).toHaveLength(3));
  await page.act(() => buttonsWith('Remove')[1]?.click());
  expect(rows().map((row) => row.querySelector('select')?.value)).toEqual(['owner', 'developer']);
});

it.each(['/session-statistics', '/sessions'])(
  'the overview shows the rest if %s cannot be read',
  async (path) => {
    const mock = await aMock();
    await mock.create();
    const page = await openPage('overview', mock, [path]);
    await waitFor(() => expect(page.has('[data-testid=load-error]')).toBe(true));
    await waitFor(() => expect(page.has('[data-testid=first-steps]')).toBe(true));
    expect(document.body.textContent).not.toContain('Loading…');
    const other = path === '/sessions' ? 'outcomes' : 'latest';
    await waitFor(() => expect(page.has(`[data-testid=${other}]`)).toBe(true));
  },
);

it('the timeline announces entries that are new, and none that a filter has hidden', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const mock = await aMock();
  for (let count = 0; count < 3; count += 1) await mock.create();
  const page = await openPage('timeline', mock);
  const rows = () => document.querySelectorAll('[data-testid=entry]').length;
  await waitFor(() => expect(rows()).toBeGreaterThan(2));
  const all = rows();
  await go(page, toHash({ page: 'timeline', query: { kinds: 'session' } }));
  await waitFor(() => expect(rows()).toBeLessThan(all));
  await page.act(() => page.get('[data-testid=speak]').click());
  const isChosen = () => page.get<HTMLInputElement>('[data-testid=speak]').checked;
  expect(isChosen()).toBe(true);
  const said = () => page.get('.visually-hidden[data-testid=said]').textContent;
  await go(page, toHash({ page: 'timeline' }));
  await waitFor(() => expect(rows()).toBe(all));
  // The form of the filters was reset, to which the choice does not belong.
  expect(isChosen()).toBe(true);
  await page.act(() => vi.advanceTimersByTime(4_000));
  expect(said()).toBe('');
  await mock.create();
  await waitFor(() => expect(rows()).toBeGreaterThan(all));
  await page.act(() => vi.advanceTimersByTime(4_000));
  expect(said()).toMatch(/^\d+ entr(y|ies) new, the last one: /);
});

it('an account without a name is called by its id', async () => {
  const mock = await aMock();
  const { id } = await mock.control.createTenant({ name: null });
  for (const name of ['overview', 'sessions'] as const) {
    const page = await openPage(name, mock);
    await go(page, toHash({ page: name, query: { account: id } }));
    await waitFor(() => expect(page.get('main').textContent).toContain(id));
    const labels = [...page.get<HTMLSelectElement>('[data-testid=account]').options];
    expect(labels.map(({ text }) => text)).toContain(id);
    await page.show(null);
  }
});
