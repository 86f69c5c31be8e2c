import { signal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { formatError } from './format-error.ts';

export interface ToastLink {
  readonly text: string;
  readonly href: string;
}

interface Toast {
  readonly id: number;
  readonly text: string;
  readonly link: ToastLink | null;
}

const SHOWN_MS = 4_000;
/** A link needs more time, because the reader has to decide and to reach it. */
const SHOWN_WITH_LINK_MS = 8_000;

const toasts = signal<readonly Toast[]>([]);
let count = 0;

/**
 * Shows a message for a few seconds. Screen readers announce it. A message with a link replaces the earlier
 * one that has the same link.
 */
export function announce(text: string, link: ToastLink | null = null): void {
  if (link) withdraw(link.href);
  toasts.value = [...toasts.value, { id: (count += 1), text, link }];
}

/** Removes the message with this link, because it is out of date. */
export function withdraw(href: string): void {
  toasts.value = toasts.value.filter(({ link }) => link?.href !== href);
}

function dismiss(id: number): void {
  toasts.value = toasts.value.filter((one) => one.id !== id);
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
      {toasts.value.map((toast) => (
        <ToastItem key={toast.id} toast={toast} />
      ))}
    </div>
  );
}

function ToastItem({ toast }: { toast: Toast }): JSX.Element {
  const { id, text, link } = toast;
  const item = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const timer = setInterval(
      () => {
        // The link must not disappear while the visitor points at it or has the focus on it.
        if (!item.current?.matches(':hover, :focus-within')) dismiss(id);
      },
      link ? SHOWN_WITH_LINK_MS : SHOWN_MS,
    );
    return () => clearInterval(timer);
  }, []);
  return (
    <div class="toast" ref={item}>
      {text}
      {link && (
        <>
          {' '}
          <a href={link.href} onClick={() => dismiss(id)}>
            {link.text}
          </a>
        </>
      )}
    </div>
  );
}
