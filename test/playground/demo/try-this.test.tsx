// @vitest-environment jsdom
import { expect, it, vi } from 'vitest';
import { createProvider } from '../../../playground/shared/provider.ts';
import { showPage } from '../shared/kit/a-page.tsx';
import { waitFor } from '../../support/wait-for.ts';

vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')));
const { createShopApi } = await import('../../../playground/shop/api.ts');
const { createDemoShop } = await import('../../../playground/demo/demo-shop.ts');
const { createGuide } = await import('../../../playground/demo/guide.ts');
const { TryThis } = await import('../../../playground/demo/try-this.tsx');

it('a task that could not be started shows the error and keeps the focus at its button', async () => {
  vi.spyOn(console, 'debug').mockImplementation(() => undefined);
  const shop = createDemoShop(createShopApi());
  const guide = createGuide(shop, createProvider({ apiOrigin: 'https://mock.example', fetch }));
  const page = await showPage(
    <>
      <button id="verify-age">Verify my age</button>
      <TryThis guide={guide} />
    </>,
  );
  const scrollIntoView = vi.fn();
  page.get('#verify-age').scrollIntoView = scrollIntoView;
  const start = page.get('[data-testid=start-failed]');
  start.focus();
  await page.act(() => start.click());
  await waitFor(() => expect(guide.isBusy.value).toBe(false));
  expect(page.get('[data-testid=news-failed]').textContent).toContain('cannot be reached');
  expect(document.activeElement).toBe(start);
  expect(scrollIntoView).not.toHaveBeenCalled();
  guide.close();
});
