import type { Signal } from '@preact/signals';
import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useId, useLayoutEffect, useRef } from 'preact/hooks';
import { Button } from './button.tsx';

/** The focus goes to the first of these, and not to the button that closes the dialog. */
const FIELDS = 'input, select, textarea';

/**
 * A modal dialog on the platform's own element, which traps the focus and gives it back at the end.
 * Escape and the button in its head close it.
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
      // The browser reports a close a moment later. The cancel event comes at once, so that a click can
      // open the dialog again. The late close event is then stale.
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
