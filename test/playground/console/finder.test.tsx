// @vitest-environment jsdom
import type { JSX } from 'preact';
import { expect, it, vi } from 'vitest';
import type { Context } from '../../../playground/console/context.ts';
import { Finder } from '../../../playground/console/finder.tsx';
import { parseRoute } from '../../../playground/console/route.ts';
import { SelectField } from '../../../playground/shared/kit/select-field.tsx';
import { showPage } from '../shared/kit/a-page.tsx';
import { waitFor } from '../../support/wait-for.ts';

const go = vi.fn<Context['go']>();

/** The filters of a page at an address, whose key pairs are loaded or not. */
function Page(props: { hash: string; pairs?: readonly string[] }): JSX.Element {
  const route = parseRoute(props.hash);
  return (
    <Finder
      context={{ route, go } as Pick<Context, 'route' | 'go'> as Context}
      search={{ name: 'q', label: 'Text', testId: 'text' }}
      chips={[['pair', 'Key pair']]}
    >
      <SelectField
        name="pair"
        label="Key pair"
        options={[{ value: '', text: 'any' }, ...(props.pairs ?? [])]}
        value={route.query['pair'] ?? ''}
      />
    </Finder>
  );
}

const type = (input: HTMLInputElement, text: string): void => {
  input.value = text;
  input.dispatchEvent(new Event('input', { bubbles: true }));
};

it('typing changes the address after a pause, and keeps a filter whose options are not loaded', async () => {
  const page = await showPage(<Page hash="#sessions?pair=p1" />);
  await page.act(() => type(page.get('input'), 'anna'));
  expect(go).not.toHaveBeenCalled();
  await waitFor(() => expect(go).toHaveBeenCalledOnce());
  expect(go.mock.lastCall?.[0].query).toEqual({ pair: 'p1', q: 'anna', before: '' });
});

it('the fields follow the address, but a change of their own does not reset what is typed meanwhile', async () => {
  const page = await showPage(<Page hash="#sessions?q=a" pairs={['p1']} />);
  const input = page.get<HTMLInputElement>('input');
  await page.show(<Page hash="#sessions?q=b&pair=p1" pairs={['p1']} />);
  expect(input.value).toBe('b');
  expect(page.get<HTMLSelectElement>('select').value).toBe('p1');
  expect(page.has('[data-testid=active-filters]')).toBe(true);

  await page.act(() => type(input, 'anna'));
  await page.act(() => page.get<HTMLFormElement>('form').requestSubmit());
  await page.act(() => type(input, 'anna b'));
  await page.show(<Page hash="#sessions?q=anna&pair=p1" pairs={['p1']} />);
  expect(input.value).toBe('anna b');
});
