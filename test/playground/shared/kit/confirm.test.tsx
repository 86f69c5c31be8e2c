// @vitest-environment jsdom
import { signal } from '@preact/signals';
import { expect, it } from 'vitest';
import { ConfirmDialog } from '../../../../playground/shared/kit/confirm.tsx';
import { Toasts } from '../../../../playground/shared/kit/toast.tsx';
import { createAction, showPage } from './a-page.tsx';

// jsdom has neither.
HTMLDialogElement.prototype.showModal = () => {};
HTMLDialogElement.prototype.close = () => {};

async function aQuestion() {
  const isOpen = signal(true);
  const action = createAction();
  const page = await showPage(
    <>
      <ConfirmDialog
        title="Load?"
        confirm="Load"
        done="Loaded"
        work={() => action.run()}
        isOpen={isOpen}
      >
        <p>It replaces the state.</p>
      </ConfirmDialog>
      <Toasts />
    </>,
  );
  return {
    action,
    isOpen,
    confirm: () => page.act(() => page.get('[data-testid=confirm]').click()),
    open: (value: boolean) => page.act(() => (isOpen.value = value)),
    fail: (message: string) => page.act(() => action.fail(new Error(message))),
    finish: () => page.act(() => action.finish()),
    alert: () => (page.has('[role=alert]') ? page.get('[role=alert]').textContent : null),
    announced: () => page.get('[data-testid=announcements]').textContent,
  };
}

it('a question shows the error of its action until it is closed', async () => {
  const question = await aQuestion();
  await question.confirm();
  await question.fail('The file is broken');
  expect(question.alert()).toBe('The file is broken');
  await question.open(false);
  await question.open(true);
  expect(question.alert()).toBeNull();
});

it('the result of an action whose question was closed is announced, and leaves the next question alone', async () => {
  const question = await aQuestion();
  await question.confirm();
  await question.open(false);
  await question.open(true);
  await question.fail('The first is broken');
  expect(question.alert()).toBeNull();
  expect(question.announced()).toContain('The first is broken');

  await question.confirm();
  await question.open(false);
  await question.open(true);
  await question.finish();
  expect(question.announced()).toContain('Loaded');
  expect(question.isOpen.value).toBe(true);
});
