// @vitest-environment jsdom
import { beforeEach, expect, it, vi } from 'vitest';
import { showPage } from '../../shared/kit/a-page.tsx';

vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')));
const { createShopApi } = await import('../../../../playground/shop/api.ts');
const { createDemoShop } = await import('../../../../playground/demo/demo-shop.ts');
const { OptionsPanel } = await import('../../../../playground/demo/code/options-panel.tsx');
const { toSnippet } = await import('../../../../playground/demo/code/snippets.ts');

// The shop keeps its options there.
beforeEach(() => sessionStorage.clear());

/** Shows the options of a signed-in customer, and returns the text of a field with its hint. */
async function aPanel() {
  const shop = createDemoShop(createShopApi());
  shop.options.value = { ...shop.options.value, cancelUrl: true };
  const customerId = 'customer-5f3a';
  shop.access.value = {
    customerId,
    access: false,
    since: null,
    by: null,
    latestSessionId: null,
    webhooks: [],
  };
  const page = await showPage(<OptionsPanel shop={shop} />);
  const readField = (id: string): string => {
    const control = page.get<HTMLInputElement>(`[data-testid=${id}]`);
    const hint = document.getElementById(control.getAttribute('aria-describedby') ?? '');
    return `${control.closest('label')?.textContent ?? control.value} ${hint?.textContent ?? ''}`;
  };
  return { shop, page, readField };
}

it.each([
  { field: 'return-url', here: '/return/', inCode: '/age-check/return' },
  { field: 'cancel-address', here: location.origin, inCode: '/basket' },
  { field: 'sends-customer', here: 'customer-5f3a', inCode: 'customer-42' },
])('an option says what the code has in place of its value: $field', async (row) => {
  const { shop, readField } = await aPanel();
  expect(readField(row.field)).toContain(row.here);
  expect(readField(row.field)).toContain(row.inCode);
  const code = toSnippet('script', shop.options.value, {
    target: 'mock',
    mock: { sdkUrl: 'http://localhost/sdk.min.js', apiBase: '', publishableKey: 'pk_test_1' },
  });
  expect(code).toContain(row.inCode);
  expect(code).not.toContain(row.field === 'cancel-address' ? `'${row.here}/'` : row.here);
});

it('an address that was typed is the one of the code', async () => {
  const { shop, page, readField } = await aPanel();
  await page.act(() => {
    shop.options.value = { ...shop.options.value, returnUrl: 'https://shop.example/back' };
  });
  expect(readField('return-url').trim()).toBe('https://shop.example/back');
});
