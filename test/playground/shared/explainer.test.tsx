// @vitest-environment jsdom
import { expect, it } from 'vitest';
import { Explainer } from '../../../playground/shared/explainer/explainer.tsx';
import { createProvider } from '../../../playground/shared/provider.ts';
import { aMock } from '../../support/a-mock.ts';
import { showPage } from './kit/a-page.tsx';
import { waitFor } from '../../support/wait-for.ts';

it('two examples pressed in quick succession leave one of them explained', async () => {
  const { service } = await aMock();
  const provider = createProvider(service);
  const page = await showPage(<Explainer provider={provider} />);
  const examples = [...document.querySelectorAll<HTMLElement>('[data-testid^=example-]')];
  await page.act(() => {
    for (const example of examples.slice(0, 2)) example.click();
  });
  await waitFor(() =>
    expect(page.get('[data-testid=explain]').getAttribute('aria-disabled')).toBeNull(),
  );
  await waitFor(() => expect(page.get('[role=status]').textContent).not.toBe(''));
  expect(page.get<HTMLTextAreaElement>('[data-testid=explain-body]').value).not.toBe('');
});
