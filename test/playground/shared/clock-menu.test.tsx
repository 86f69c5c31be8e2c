// @vitest-environment jsdom
import { expect, it, vi } from 'vitest';
import { ClockMenu } from '../../../playground/shared/console/clock-menu.tsx';
import { createProvider } from '../../../playground/shared/provider.ts';
import { aMock } from '../../support/a-mock.ts';
import { showPage } from './kit/a-page.tsx';
import { waitFor } from '../../support/wait-for.ts';

it('the clock says that nothing is due only after the clock was read', async () => {
  vi.spyOn(console, 'debug').mockImplementation(() => undefined);
  const { service } = await aMock();
  let letGo = (): void => {};
  const isHeld = new Promise<void>((resolve) => (letGo = resolve));
  const provider = createProvider({
    apiOrigin: service.apiOrigin,
    async fetch(request) {
      await isHeld;
      return service.fetch(request);
    },
  });
  const page = await showPage(<ClockMenu provider={provider} />);
  if (!page.has('[data-testid=clock-due]'))
    await page.act(() => page.get('[data-testid=clock-toggle]').click());
  const due = () => page.get('[data-testid=clock-due]').textContent;
  expect(due()).toBe('');
  letGo();
  await waitFor(() => expect(due()).toBe('nothing due'));
  await page.show(null);
});
