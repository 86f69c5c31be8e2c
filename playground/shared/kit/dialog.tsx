import type { Signal } from '@preact/signals';
import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useId, useLayoutEffect, useRef } from 'preact/hooks';
import { Button } from './button.tsx';

/** Selects the elements that can take the initial focus. The close button should not. */
const FIELDS = 'input, select, textarea';

/**
 * A modal dialog based on the browser's `<dialog>`, which traps focus and restores it on close. Escape and
 * the close button in the header close it.
 */
export function Dialog(props: {
  title: string;
  isOpen: Signal<boolean>;
  children: ComponentChildren;
  /** The name of the close button. Null if `children` contain one. */
  dismiss?: string | null;
  testId?: string;
}): JSX.Element {
  const id = useId();
  const ref = useRef<HTMLDialogElement>(null);
  const { title, isOpen, children, dismiss = 'Close', testId } = props;
  function close(): void {
    isOpen.value = false;
  }
  useEffect(
    () =>
      isOpen.subscribe((open) => {
        if (open && !ref.current?.open) ref.current?.showModal();
        else if (!open) ref.current?.close();
      }),
    [isOpen],
  );
  useLayoutEffect(() => {
    // The dialog opens before its content is rendered, so the browser finds no field to focus.
    if (isOpen.value) ref.current?.querySelector<HTMLElement>(FIELDS)?.focus();
  }, [isOpen.value]);
  return (
    <dialog
      class="dialog"
      ref={ref}
      aria-labelledby={id}
      data-testid={testId}
      // The browser fires the close event a moment later, but the cancel event at once. A click in between
      // can open the dialog again, and the late close event is then stale.
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
              <Button variant="bare" class="dialog__close" aria-label={dismiss} onPress={close}>
                {null}
              </Button>
            )}
          </div>
          {children}
        </div>
      )}
    </dialog>
  );
}
