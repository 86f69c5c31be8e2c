// @vitest-environment jsdom
/** Tests of the small components, toasts and errors. */
import { afterEach, describe, expect, it, vi } from 'vitest';
import { Chip, ValueChip } from '../../../../playground/shared/kit/chip.tsx';
import { EmptyState } from '../../../../playground/shared/kit/empty-state.tsx';
import { formatError } from '../../../../playground/shared/kit/format-error.ts';
import { Table } from '../../../../playground/shared/kit/table.tsx';
import { Toasts, announce, attempt, withdraw } from '../../../../playground/shared/kit/toast.tsx';
import { useBusy } from '../../../../playground/shared/kit/use-busy.ts';
import { createAction, showPage } from './a-page.tsx';

afterEach(() => {
  vi.useRealTimers();
});

it('a table has column headings, and its frame can be scrolled by keyboard', async () => {
  const page = await showPage(
    <Table label="Sessions" head={['Status', 'Session']} testId="table">
      <tr>
        <td>verified</td>
        <td>4711</td>
      </tr>
    </Table>,
  );
  const headings = [...page.get('table').querySelectorAll('th[scope=col]')];
  expect(headings.map(({ textContent }) => textContent)).toEqual(['Status', 'Session']);
  expect(page.get('[data-testid=table]').querySelectorAll('tbody tr')).toHaveLength(1);
  expect(page.get('[role=region][aria-label=Sessions]').tabIndex).toBe(0);
});

it('an empty state shows its title before its content', async () => {
  const page = await showPage(
    <EmptyState title="No session yet.">
      <p>Start one.</p>
    </EmptyState>,
  );
  expect(page.get('.empty').innerHTML).toBe('<p>No session yet.</p><p>Start one.</p>');
});

it('a chip has the class of its tone, and a value chip has a remove button', async () => {
  const onPress = vi.fn();
  const page = await showPage(
    <>
      <Chip tone="bad">paused</Chip>
      <ValueChip remove={{ label: 'Remove shop.example', onPress }}>shop.example</ValueChip>
    </>,
  );
  expect(page.get('.chip--bad').textContent).toBe('paused');
  await page.act(() => page.get('button[aria-label="Remove shop.example"]').click());
  expect(onPress).toHaveBeenCalledTimes(1);
});

describe('toasts', () => {
  it('are announced and disappear after four seconds', async () => {
    vi.useFakeTimers();
    const page = await showPage(<Toasts />);
    await page.act(() => announce('Policy saved'));
    expect(page.get('[role=status]').textContent).toBe('Policy saved');
    await page.act(() => vi.advanceTimersByTime(4_000));
    expect(page.get('[role=status]').textContent).toBe('');
  });

  it('with a link replace the earlier toast, and stay while the link has the focus', async () => {
    vi.useFakeTimers();
    const link = { text: 'Go to basket', href: '#basket' };
    const page = await showPage(<Toasts />);
    await page.act(() => announce('Port is in your basket', link));
    await page.act(() => announce('Rum is in your basket', link));
    expect(page.get('[role=status]').textContent).toBe('Rum is in your basket Go to basket');
    page.get('a[href="#basket"]').focus();
    await page.act(() => vi.advanceTimersByTime(60_000));
    expect(page.has('a[href="#basket"]')).toBe(true);
    page.get('a[href="#basket"]').blur();
    await page.act(() => vi.advanceTimersByTime(8_000));
    expect(page.get('[role=status]').textContent).toBe('');

    await page.act(() => announce('Port is in your basket', link));
    await page.act(() => page.get('a[href="#basket"]').click());
    expect(page.get('[role=status]').textContent).toBe('');

    await page.act(() => announce('Port is in your basket', link));
    await page.act(() => withdraw('#basket'));
    expect(page.get('[role=status]').textContent).toBe('');
  });
});

it('attempt() announces an error and never rejects', async () => {
  const page = await showPage(<Toasts />);
  await page.act(async () => {
    expect(await attempt(async () => 'done')).toBe(true);
    expect(await attempt(() => Promise.reject(new Error('Nothing to redeliver')))).toBe(false);
  });
  expect(page.get('[role=status]').textContent).toBe('Nothing to redeliver');
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
  await page.act(() => void run());
  expect(action.calls).toBe(2);
});

it.each([
  [new Error('The key is revoked'), 'The key is revoked'],
  ['a string', 'a string'],
  [undefined, 'undefined'],
])('formatError(%s) returns "%s"', (error, text) => expect(formatError(error)).toBe(text));
