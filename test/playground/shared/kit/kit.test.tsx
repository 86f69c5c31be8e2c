// @vitest-environment jsdom
/**
 * The rules of the shared components. test/e2e/console.spec.ts tests dialogs, whose focus trap needs a
 * real browser.
 */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Button } from '../../../../playground/shared/kit/button.tsx';
import { CheckField } from '../../../../playground/shared/kit/check-field.tsx';
import { SelectField } from '../../../../playground/shared/kit/select-field.tsx';
import { Table } from '../../../../playground/shared/kit/table.tsx';
import { TextField } from '../../../../playground/shared/kit/text-field.tsx';
import { Toasts, announce, attempt } from '../../../../playground/shared/kit/toast.tsx';
import { useBusy } from '../../../../playground/shared/kit/use-busy.ts';
import { createAction, showPage } from './a-page.tsx';

describe('a button', () => {
  it('is busy and ignores presses until the promise of a press has settled', async () => {
    const action = createAction();
    const page = await showPage(<Button onPress={() => action.run()}>Save</Button>);
    const button = page.get<HTMLButtonElement>('button');
    // Clicks twice before the page renders, and once after it.
    await page.act(() => {
      button.click();
      button.click();
    });
    expect(button.getAttribute('aria-disabled')).toBe('true');
    await page.act(() => button.click());
    expect(action.calls).toBe(1);
    await page.act(() => action.finish());
    expect(button.getAttribute('aria-disabled')).toBeNull();
    await page.act(() => button.click());
    expect(action.calls).toBe(2);
  });

  it.each([
    ['busy', { busy: true }],
    ['unavailable', { unavailable: true }],
  ])('keeps keyboard focus and ignores presses while it is %s', async (_why, props) => {
    const onPress = vi.fn();
    const page = await showPage(<Button onPress={onPress}>Redeliver</Button>);
    const button = page.get<HTMLButtonElement>('button');
    button.focus();
    await page.show(
      <Button onPress={onPress} {...props}>
        Redeliver
      </Button>,
    );
    expect(button.getAttribute('aria-disabled')).toBe('true');
    expect(document.activeElement).toBe(button);
    await page.act(() => button.click());
    expect(onPress).not.toHaveBeenCalled();
  });

  it('without onPress submits its form, but not while it is busy', async () => {
    const onSubmit = vi.fn((event: Event) => event.preventDefault());
    const form = (busy: boolean) => (
      <form onSubmit={onSubmit}>
        <Button busy={busy}>Save</Button>
      </form>
    );
    const page = await showPage(form(true));
    await page.act(() => page.get('button').click());
    expect(onSubmit).not.toHaveBeenCalled();
    await page.show(form(false));
    await page.act(() => page.get('button').click());
    expect(onSubmit).toHaveBeenCalledTimes(1);
  });
});

describe('a field', () => {
  const WRONG = { label: 'Age', hint: '25 to 99.', error: 'must not be less than 25' };
  it.each([
    ['text field', <TextField key="text" {...WRONG} value="17" onValue={vi.fn()} />],
    [
      'select',
      <SelectField key="select" {...WRONG} options={['17']} value="17" onValue={vi.fn()} />,
    ],
    ['checkbox', <CheckField key="check" {...WRONG} value onValue={vi.fn()} />],
  ])(
    'such as a %s announces its label, and its error in place of its hint',
    async (_name, field) => {
      const page = await showPage(field);
      const control = page.get<HTMLInputElement>('input, select');
      expect(control.labels?.[0]?.textContent).toBe('Age');
      const note = document.getElementById(control.getAttribute('aria-describedby') ?? '');
      expect(note?.textContent).toBe('must not be less than 25');
      expect(document.body.textContent).not.toContain(WRONG.hint);
      expect(control.getAttribute('aria-invalid')).toBe('true');
    },
  );

  it('with options shows its value once the options are loaded', async () => {
    const field = (options: readonly string[]) => (
      <SelectField label="Key pair" options={options} value="pair-2" onValue={vi.fn()} />
    );
    const page = await showPage(field([]));
    await page.show(field(['pair-1', 'pair-2']));
    expect(page.get<HTMLSelectElement>('select').value).toBe('pair-2');
  });

  it('that is an immediate switch changes only when its value prop changes', async () => {
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
});

describe('a toast', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    // The toasts belong to all pages of this file.
    vi.runAllTimers();
    vi.useRealTimers();
  });

  it('disappears after four seconds', async () => {
    const page = await showPage(<Toasts />);
    await page.act(() => announce('Policy saved'));
    expect(page.get('[role=status]').textContent).toBe('Policy saved');
    await page.act(() => vi.advanceTimersByTime(4_000));
    expect(page.get('[role=status]').textContent).toBe('');
  });

  it('announces the error of attempt(), which never rejects', async () => {
    const page = await showPage(<Toasts />);
    await page.act(async () => {
      expect(await attempt(async () => 'done')).toBe(true);
      expect(await attempt(() => Promise.reject(new Error('Nothing to redeliver')))).toBe(false);
    });
    expect(page.get('[role=status]').textContent).toBe('Nothing to redeliver');
  });
});

it('useBusy runs one action at a time, and can run another after a failure', async () => {
  const action = createAction();
  let busy: ReturnType<typeof useBusy> | undefined;
  function Probe() {
    busy = useBusy();
    return <output>{String(busy.isBusy)}</output>;
  }
  const page = await showPage(<Probe />);
  const run = () => busy!.run(() => action.run());
  let first: Promise<void> = Promise.resolve();
  await page.act(() => {
    first = run();
    void run();
  });
  expect(action.calls).toBe(1);
  expect(page.get('output').textContent).toBe('true');
  await page.act(async () => {
    action.fail(new Error('No answer'));
    await expect(first).rejects.toThrow('No answer');
  });
  expect(page.get('output').textContent).toBe('false');
});

it('a table shows each cell below the heading of its column, in the form of its kind', async () => {
  const page = await showPage(
    <Table
      label="Wines"
      columns={[
        { title: 'Name', kind: 'name', cell: ({ name }) => name },
        { title: 'Bottles', kind: 'number', hasLabel: true, cell: ({ bottles }) => bottles },
        { title: 'Origin', cell: ({ origin }) => origin },
      ]}
      rows={[{ name: 'Riesling', bottles: 6, origin: 'Mosel' }]}
      toAttributes={({ name }) => ({ key: name, 'data-testid': 'wine' })}
    />,
  );
  const cells = (css: string) =>
    [...document.querySelectorAll(css)].map(({ textContent, className }) => [
      textContent,
      className,
    ]);
  expect(cells('thead th')).toEqual([
    ['Name', ''],
    ['Bottles', 'cell-number'],
    ['Origin', ''],
  ]);
  expect(cells('[data-testid=wine] > *')).toEqual([
    ['Riesling', ''],
    ['6', 'cell-number'],
    ['Mosel', ''],
  ]);
  expect(page.get('tbody th').getAttribute('scope')).toBe('row');
  expect(page.get('[data-label=Bottles]').textContent).toBe('6');
});
