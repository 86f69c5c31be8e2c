import { signal } from '@preact/signals';
import type { JSX } from 'preact';
import './announce.css';

const said = signal<readonly { readonly id: number; readonly text: string }[]>([]);
let count = 0;

/** Says something to everybody, those who listen included, for a few seconds. */
export function announce(text: string): void {
  const id = (count += 1);
  said.value = [...said.value, { id, text }];
  setTimeout(() => (said.value = said.value.filter((one) => one.id !== id)), 4_000);
}

/** Runs something that asks the provider; what goes wrong is said in its own words. */
export async function attempt(work: () => Promise<unknown>): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (error) {
    announce(error instanceof Error ? error.message : String(error));
    return false;
  }
}

/** Once a page. */
export function Announcements(): JSX.Element {
  return (
    <div class="toasts" role="status" data-testid="announcements">
      {said.value.map(({ id, text }) => (
        <div key={id} class="toast">
          {text}
        </div>
      ))}
    </div>
  );
}
