// @vitest-environment jsdom
import { expect, it, vi } from 'vitest';
import { Button } from '../../../../playground/shared/kit/button.tsx';
import { createAction, showPage } from './a-page.tsx';

it('a button is busy and ignores presses until the promise of a press has settled', async () => {
  const action = createAction();
  const page = await showPage(<Button onPress={() => action.run()}>Save</Button>);
  const button = page.get<HTMLButtonElement>('button');
  expect(button.getAttribute('aria-disabled')).toBeNull();
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

it('a button can be pressed again immediately after a synchronous action', async () => {
  const onPress = vi.fn();
  const page = await showPage(<Button onPress={onPress}>One more</Button>);
  await page.act(() => {
    page.get('button').click();
    page.get('button').click();
  });
  expect(onPress).toHaveBeenCalledTimes(2);
});

it.each([
  ['busy', { busy: true }],
  ['unavailable', { unavailable: true }],
])('a button keeps keyboard focus and ignores presses while it is %s', async (_why, props) => {
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
  expect(button.disabled).toBe(false);
  expect(document.activeElement).toBe(button);
  await page.act(() => button.click());
  expect(onPress).not.toHaveBeenCalled();
});

it('a button without onPress submits its form, but not while it is busy', async () => {
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

it.each([
  [{}, 'button'],
  [{ variant: 'primary', small: true }, 'button button--primary button--small'],
  [{ class: 'entries__more' }, 'button entries__more'],
  [{ variant: 'bare', class: 'round' }, 'round'],
] as const)('a button with the props %j has the class "%s"', async (props, classes) => {
  const page = await showPage(
    <Button {...props} title="Why" testId="it">
      Do it
    </Button>,
  );
  expect(page.get('[data-testid=it]').className).toBe(classes);
  expect(page.get('button').title).toBe('Why');
});
