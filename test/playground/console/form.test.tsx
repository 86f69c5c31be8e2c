// @vitest-environment jsdom
import type { JSX } from 'preact';
import { ControlError } from 'ofage-mock/client';
import { expect, it, vi } from 'vitest';
import { Form, readText } from '../../../playground/console/form.tsx';
import { TextField } from '../../../playground/shared/kit/text-field.tsx';
import { showPage } from '../shared/kit/a-page.tsx';
import { waitFor } from '../../support/wait-for.ts';

/** A form for a name, as a page shows it while the service has `saved`. */
function NameForm(props: {
  saved: string;
  save?: (name: string) => Promise<unknown>;
}): JSX.Element {
  return (
    <Form submit="Save" save={async (form) => props.save?.(readText(form, 'name'))}>
      <TextField name="name" label="Name" value={props.saved} />
    </Form>
  );
}

const type = (input: HTMLInputElement, text: string): void => {
  input.value = text;
  input.dispatchEvent(new Event('input', { bubbles: true }));
};

it('a field shows a value that is saved elsewhere, but never instead of what was typed', async () => {
  const page = await showPage(<NameForm saved="Demo shop" />);
  const input = page.get<HTMLInputElement>('input');
  await page.show(<NameForm saved="Kontor" />);
  expect(input.value).toBe('Kontor');
  await page.act(() => type(input, 'Weinhaus'));
  await page.show(<NameForm saved="Kontor by the sea" />);
  expect(input.value).toBe('Weinhaus');
});

it('after a save the field shows the value of the service, which may have normalised it', async () => {
  let saved = '';
  const save = async (name: string): Promise<void> => {
    saved = name.toLowerCase();
  };
  const page = await showPage(<NameForm saved="a" save={save} />);
  const input = page.get<HTMLInputElement>('input');
  await page.act(() => type(input, 'KONTOR'));
  await page.act(() => page.get('button').click());
  await waitFor(() => expect(saved).toBe('kontor'));
  await page.show(<NameForm saved={saved} save={save} />);
  expect(input.value).toBe('kontor');
});

it('a refused value stays, with the message of the service beside it', async () => {
  const save = async (): Promise<never> => {
    throw new ControlError('refused', 400, ['name should not be empty', 'the account is closed']);
  };
  const page = await showPage(<NameForm saved="Kontor" save={save} />);
  const input = page.get<HTMLInputElement>('input');
  await page.act(() => type(input, ' '));
  await page.act(() => page.get('button').click());
  await waitFor(() => expect(input.getAttribute('aria-invalid')).toBe('true'));
  expect(input.value).toBe(' ');
  expect(page.get('.field__error').textContent).toBe('Enter a value.');
  expect(page.get('ul.note').textContent).toBe('the account is closed');
});

it('a long form keeps its buttons in view once something is changed, and discards the changes', async () => {
  const page = await showPage(
    <Form submit="Save" save={vi.fn()} long={{ isChanged: false, onDiscard: vi.fn() }}>
      <TextField name="name" label="Name" value="Kontor" />
    </Form>,
  );
  const input = page.get<HTMLInputElement>('input');
  expect(page.has('.form__bar')).toBe(false);
  await page.act(() => type(input, 'Weinhaus'));
  await page.act(() => page.get('.form__bar button:last-child').click());
  expect(input.value).toBe('Kontor');
  expect(page.has('.form__bar')).toBe(false);
});
