import { signal } from '@preact/signals';
import type { JSX } from 'preact';
import { formatError } from './format-error.ts';

const SHOWN_MS = 4_000;

const toasts = signal<readonly { readonly id: number; readonly text: string }[]>([]);
let count = 0;

/** Shows a message for a few seconds. Screen readers announce it. */
export function announce(text: string): void {
  count += 1;
  const id = count;
  toasts.value = [...toasts.value, { id, text }];
  setTimeout(() => (toasts.value = toasts.value.filter((one) => one.id !== id)), SHOWN_MS);
}

/** Runs `work` and announces its error. Resolves to true if it succeeded. Never rejects. */
export async function attempt(work: () => Promise<unknown>): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (error) {
    announce(formatError(error));
    return false;
  }
}

/** Shows the announcements. Each page renders it once. */
export function Toasts(): JSX.Element {
  return (
    <div class="toasts" role="status" data-testid="announcements">
      {toasts.value.map(({ id, text }) => (
        <div key={id} class="toast">
          {text}
        </div>
      ))}
    </div>
  );
}
