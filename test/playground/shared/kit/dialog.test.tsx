// @vitest-environment jsdom
/** The focus trap and Escape, which need a real browser, are tested in test/e2e/dashboard.spec.ts. */
import { signal } from '@preact/signals';
import { beforeEach, expect, it, vi } from 'vitest';
import { Dialog } from '../../../../playground/shared/kit/dialog.tsx';
import { showPage } from './a-page.tsx';

// jsdom has no modal dialogs. These replacements open and close the dialog, and fire the close event
// asynchronously as browsers do.
beforeEach(() => {
  Object.assign(HTMLDialogElement.prototype, {
    showModal(this: HTMLDialogElement) {
      this.open = true;
    },
    close(this: HTMLDialogElement) {
      if (!this.open) return;
      this.open = false;
      setTimeout(() => this.dispatchEvent(new Event('close')));
    },
  });
});

const closed = () => new Promise((resolve) => setTimeout(resolve, 5));

it('a dialog renders its content only while it is open, and is labelled by its title', async () => {
  const isOpen = signal(false);
  const page = await showPage(
    <Dialog title="New account" isOpen={isOpen} testId="dialog">
      <p id="content">A merchant of its own</p>
    </Dialog>,
  );
  expect(page.has('#content')).toBe(false);
  await page.act(() => (isOpen.value = true));
  const dialog = page.get<HTMLDialogElement>('[data-testid=dialog]');
  expect(dialog.open).toBe(true);
  expect(page.has('#content')).toBe(true);
  const titleId = dialog.getAttribute('aria-labelledby');
  expect(page.get(`[id="${titleId}"]`).textContent).toBe('New account');
  await page.act(() => (isOpen.value = false));
  expect(dialog.open).toBe(false);
  expect(page.has('#content')).toBe(false);
});

it('a dialog focuses its first field instead of the close button', async () => {
  const isOpen = signal(false);
  const page = await showPage(
    <Dialog title="New account" isOpen={isOpen}>
      <input id="name" />
    </Dialog>,
  );
  await page.act(() => (isOpen.value = true));
  expect(document.activeElement).toBe(page.get('#name'));
});

it.each([
  ['Cancel', undefined],
  ['Close', 'Close'],
])('a dialog closes after a click on the button "%s"', async (text, dismiss) => {
  const isOpen = signal(true);
  const page = await showPage(
    <Dialog title="New account" isOpen={isOpen} {...(dismiss && { dismiss })}>
      <p>Content</p>
    </Dialog>,
  );
  expect(page.get('button').textContent).toBe(text);
  await page.act(() => page.get('button').click());
  expect(isOpen.value).toBe(false);
});

it('a dialog with dismiss={null} has no close button', async () => {
  const page = await showPage(
    <Dialog title="Delete it?" isOpen={signal(true)} dismiss={null}>
      <p>Content</p>
    </Dialog>,
  );
  expect(page.has('button')).toBe(false);
});

it('a dialog stays open when it is reopened before the close event fires', async () => {
  const isOpen = signal(true);
  const page = await showPage(
    <Dialog title="Delete it?" isOpen={isOpen}>
      <p>Content</p>
    </Dialog>,
  );
  const dialog = page.get<HTMLDialogElement>('dialog');
  await page.act(async () => {
    // On Escape, the browser closes the dialog and fires the close event later.
    dialog.dispatchEvent(new Event('cancel'));
    dialog.close();
    isOpen.value = true;
    await closed();
  });
  expect(isOpen.value).toBe(true);
  expect(dialog.open).toBe(true);
});

it('a dialog updates isOpen when the browser closes it', async () => {
  const isOpen = signal(true);
  const page = await showPage(
    <Dialog title="Delete it?" isOpen={isOpen}>
      <p>Content</p>
    </Dialog>,
  );
  await page.act(async () => {
    page.get<HTMLDialogElement>('dialog').close();
    await vi.waitFor(() => expect(isOpen.value).toBe(false));
  });
});
