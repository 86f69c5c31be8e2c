// @vitest-environment jsdom
import { signal } from '@preact/signals';
import { expect, it, vi } from 'vitest';
import { CheckField } from '../../../../playground/shared/kit/check-field.tsx';
import { SelectField } from '../../../../playground/shared/kit/select-field.tsx';
import { TextField } from '../../../../playground/shared/kit/text-field.tsx';
import { type KitPage, showPage } from './a-page.tsx';

/** Returns the label and the descriptions of a control, as a screen reader announces them. */
function readOut(page: KitPage, css: string): { label: string; descriptions: string[] } {
  const control = page.get<HTMLInputElement>(css);
  const ids = control.getAttribute('aria-describedby')?.split(' ') ?? [];
  return {
    label: control.labels?.[0]?.textContent ?? '',
    descriptions: ids.map((id) => document.getElementById(id)?.textContent ?? `no ${id}`),
  };
}

it.each([
  ['TextField', <TextField key="text" label="Age" value="17" onValue={vi.fn()} />, 'input'],
  [
    'SelectField',
    <SelectField key="select" label="Age" options={['17']} value="17" onValue={vi.fn()} />,
    'select',
  ],
  ['CheckField', <CheckField key="check" label="Age" value onValue={vi.fn()} />, 'input'],
])('%s has a label and no description', async (_name, field, css) => {
  const page = await showPage(field);
  expect(readOut(page, css)).toEqual({ label: 'Age', descriptions: [] });
  expect(page.get(css).hasAttribute('aria-invalid')).toBe(false);
});

const WRONG = { label: 'Age', hint: '25 to 99.', error: 'must not be less than 25' };

it.each([
  ['TextField', <TextField key="text" {...WRONG} value="17" onValue={vi.fn()} />, 'input'],
  [
    'SelectField',
    <SelectField key="select" {...WRONG} options={['17']} value="17" onValue={vi.fn()} />,
    'select',
  ],
  ['CheckField', <CheckField key="check" {...WRONG} value onValue={vi.fn()} />, 'input'],
])('%s describes its control with the hint and the error', async (_name, field, css) => {
  const page = await showPage(field);
  expect(readOut(page, css)).toEqual({
    label: 'Age',
    descriptions: ['25 to 99.', 'must not be less than 25'],
  });
  expect(page.get(css).getAttribute('aria-invalid')).toBe('true');
  expect(page.get('[role=alert]').textContent).toBe('must not be less than 25');
});

it('a field shows the error of its bound value', async () => {
  const bound = { value: '17', error: 'must not be less than 25' };
  const page = await showPage(<TextField label="Age" bind={bound} />);
  expect(readOut(page, 'input').descriptions).toEqual([bound.error]);
});

it('a bound text field shows, changes and follows the value', async () => {
  const name = signal('Demo shop');
  const page = await showPage(<TextField label="Name" bind={name} />);
  const input = page.get<HTMLInputElement>('input');
  expect(input.value).toBe('Demo shop');
  await page.act(() => {
    input.value = 'Kontor';
    input.dispatchEvent(new Event('input', { bubbles: true }));
  });
  expect(name.value).toBe('Kontor');
  await page.act(() => (name.value = 'Weinhaus'));
  expect(input.value).toBe('Weinhaus');
});

it('a verbatim text field disables autocomplete and autocapitalize', async () => {
  const page = await showPage(<TextField label="URL" verbatim bind={signal('')} />);
  const input = page.get<HTMLInputElement>('input');
  expect(input.getAttribute('autocomplete')).toBe('off');
  expect(input.getAttribute('autocapitalize')).toBe('none');
});

it('a hidden label remains available to screen readers', async () => {
  const page = await showPage(<TextField label="E-mail" hideLabel bind={signal('')} />);
  expect(page.get('label').className).toBe('visually-hidden');
  expect(readOut(page, 'input').label).toBe('E-mail');
});

it('a select reports the value of the selected option instead of its text', async () => {
  const onValue = vi.fn();
  const page = await showPage(
    <SelectField
      label="Block"
      options={[{ value: '', text: 'none' }, 'PLAN_LIMIT_REACHED']}
      value=""
      onValue={onValue}
    />,
  );
  const select = page.get<HTMLSelectElement>('select');
  expect([...select.options].map(({ text }) => text)).toEqual(['none', 'PLAN_LIMIT_REACHED']);
  await page.act(() => {
    select.selectedIndex = 1;
    select.dispatchEvent(new Event('change', { bubbles: true }));
  });
  expect(onValue).toHaveBeenCalledExactlyOnceWith('PLAN_LIMIT_REACHED');
});

it('a select shows its value once the options are loaded', async () => {
  const field = (options: readonly string[]) => (
    <SelectField label="Key pair" options={options} value="pair-2" onValue={vi.fn()} />
  );
  const page = await showPage(field([]));
  await page.show(field(['pair-1', 'pair-2']));
  expect(page.get<HTMLSelectElement>('select').value).toBe('pair-2');
});

it('a checkbox changes the bound value', async () => {
  const isOn = signal(true);
  const page = await showPage(<CheckField label="Sandbox" bind={isOn} />);
  await page.act(() => page.get('input').click());
  expect(isOn.value).toBe(false);
});

it('an immediate switch changes only when its value prop changes', async () => {
  const onValue = vi.fn();
  const field = (value: boolean) => (
    <CheckField label="Enabled" immediate value={value} onValue={onValue} />
  );
  const page = await showPage(field(true));
  const input = page.get<HTMLInputElement>('[role=switch]');
  await page.act(() => input.click());
  expect(onValue).toHaveBeenCalledExactlyOnceWith(false);
  expect(input.checked).toBe(true);
  await page.show(field(false));
  expect(input.checked).toBe(false);
});
