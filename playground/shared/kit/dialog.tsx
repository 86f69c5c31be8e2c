import type { Signal } from '@preact/signals';
import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useId, useLayoutEffect, useRef } from 'preact/hooks';
import { Button } from './button.tsx';

/** What takes the focus first: not the button that closes the dialog. */
const FIELDS = 'input, select, textarea';

/**
 * A modal dialog on the platform's own element, which traps the focus and gives it back at the end.
 * Escape closes it, and so does the button in its head.
 */
export function Dialog(props: {
  title: string;
  isOpen: Signal<boolean>;
  children: ComponentChildren;
  /** The text of the button that closes it; null where `children` have one. */
  dismiss?: string | null;
  testId?: string;
}): JSX.Element {
  const id = useId();
  const ref = useRef<HTMLDialogElement>(null);
  const { title, isOpen, children, dismiss = 'Cancel', testId } = props;
  const close = (): void => void (isOpen.value = false);
  useEffect(
    () =>
      isOpen.subscribe((open) => {
        if (open && !ref.current?.open) ref.current?.showModal();
        else if (!open) ref.current?.close();
      }),
    [isOpen],
  );
  useLayoutEffect(() => {
    // The dialog opens before its content is drawn, so the browser finds no field to focus.
    if (isOpen.value) ref.current?.querySelector<HTMLElement>(FIELDS)?.focus();
  }, [isOpen.value]);
  return (
    <dialog
      class="dialog"
      ref={ref}
      aria-labelledby={id}
      data-testid={testId}
      // The browser reports a close a moment later. Until then a click could not open the dialog again,
      // and a dialog that was opened again meanwhile must stay open.
      onCancel={close}
      onClose={() => {
        if (!ref.current?.open) close();
      }}
    >
      {isOpen.value && (
        <div class="dialog__body">
          <div class="dialog__head">
            <h2 id={id}>{title}</h2>
            {dismiss !== null && (
              <Button small onPress={close}>
                {dismiss}
              </Button>
            )}
          </div>
          {children}
        </div>
      )}
    </dialog>
  );
}
