// @vitest-environment jsdom
import { type EventKind } from 'ofage-mock';
import { beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { App } from '../../../playground/console/app.tsx';
import { type PageId, toHash } from '../../../playground/console/route.ts';
import { createProvider } from '../../../playground/shared/provider.ts';
import { aMock, answered, type Mock } from '../../support/a-mock.ts';
import { type KitPage, showPage } from '../shared/kit/a-page.tsx';
import { waitFor } from '../../support/wait-for.ts';

// jsdom has none of them.
Element.prototype.scrollTo = () => {};
HTMLDialogElement.prototype.showModal = () => {};
HTMLDialogElement.prototype.close = () => {};

beforeEach(() => void vi.spyOn(console, 'debug').mockImplementation(() => undefined));

/** Shows a page of the console. `answer` can replace the service's response to a read. */
async function showConsole(
  id: PageId,
  my: Mock,
  answer: (path: string) => Promise<Response> | null = () => null,
  item: string | null = null,
): Promise<KitPage> {
  const provider = createProvider({
    apiOrigin: my.service.apiOrigin,
    fetch: (request) => answer(new URL(request.url).pathname) ?? my.service.fetch(request),
  });
  location.hash = toHash({ page: id, id: item });
  const page = await showPage(<App provider={provider} />);
  onTestFinished(() => page.show(null));
  return page;
}

it('each notice of a pause shows the email about its own endpoint', async () => {
  const urls = ['https://a.shop.example/', 'https://b.shop.example/'];
  const my = await aMock({ endpoints: urls.map((url) => ({ url })), answer: () => answered(500) });
  await my.control.updateTenant(my.tenantId, {
    members: [{ email: 'anna@shop.example', role: 'owner' }],
  });
  await my.control.trigger({ name: 'cancelled' });
  await my.clock.advance(25 * 60 * 60_000);
  const notices = await my.control.notices();
  // Both were paused at the same instant.
  expect(new Set(notices.map(({ createdAt }) => createdAt)).size).toBe(1);
  expect(notices).toHaveLength(2);

  const page = await showConsole('webhooks', my);
  await waitFor(() => expect(page.has('[data-testid=email]')).toBe(true));
  const shown = [...document.querySelectorAll('[data-testid=notice]')];
  for (const url of urls) {
    const notice = shown.find((one) => one.querySelector('p')?.textContent.includes(url));
    expect(notice?.querySelector('[data-testid=email]')?.textContent).toContain(url);
  }
});

const NEVER = () => new Promise<never>(() => {});
const REFUSE = async () => Response.json({ message: 'The disk is full' }, { status: 500 });

it.each([
  ['webhooks', 'has a legacy webhook', /\/legacy-webhook$/, 'Legacy webhook', 'Set up legacy'],
  ['overview', 'has a key pair', /\/key-pairs$/, 'First steps', 'no active key pair'],
  ['overview', 'has a key pair', /\/key-pairs$/, 'First steps', 'No key pair yet'],
  ['overview', 'has a legacy webhook', /\/legacy-webhook$/, 'First steps', 'No endpoint'],
] as const)(
  'the page %s of an account that %s does not deny it before it was read, or after a failure',
  async (id, _what, pattern, isThere, denial) => {
    for (const answer of [NEVER, REFUSE]) {
      const my = await aMock();
      await my.control.putLegacyWebhook(my.tenantId, { url: 'https://a.shop.example/' });
      const paths: string[] = [];
      const page = await showConsole(id, my, (path) => {
        paths.push(path);
        return pattern.test(path) ? answer() : null;
      });
      await waitFor(() => expect(paths.some((path) => pattern.test(path))).toBe(true));
      await waitFor(() =>
        expect(document.body.textContent).toContain(answer === NEVER ? 'Loading' : isThere),
      );
      expect(document.body.textContent).not.toContain(denial);
      await page.show(null);
    }
  },
);

it.each(['endpoint', 'legacy'] as const)(
  'a new URL in the form of a saved webhook (%s) changes nothing else, also before the key pairs are read',
  async (noun) => {
    const my = await aMock();
    const [pair] = await my.control.keyPairs(my.tenantId);
    const events: EventKind[] = ['verification.failed'];
    const values = { url: 'https://a.shop.example/', events };
    await my.control.putLegacyWebhook(my.tenantId, values);
    const { id } = await my.control.createEndpoint(my.tenantId, {
      ...values,
      pairId: pair?.pairId ?? null,
    });
    const read = (): Promise<{ url: string }> =>
      noun === 'endpoint' ? my.control.endpoint(id) : my.control.legacyWebhook(my.tenantId);
    const saved = await read();

    const item = noun === 'endpoint' ? id : null;
    const withoutPairs = (path: string) => (path.endsWith('/key-pairs') ? NEVER() : null);
    const page = await showConsole('webhooks', my, withoutPairs, item);
    const edit = `button[data-testid=edit-${noun}]`;
    await waitFor(() => expect(page.has(edit)).toBe(true));
    await page.act(() => page.get(edit).click());
    const url = 'https://b.shop.example/';
    await page.act(() => {
      page.get<HTMLInputElement>('[data-testid=endpoint-url]').value = url;
      page.get<HTMLFormElement>('[data-testid=endpoint-form]').requestSubmit();
    });
    await waitFor(async () => expect((await read()).url).toBe(url));
    expect(await read()).toEqual({ ...saved, url });
  },
);
