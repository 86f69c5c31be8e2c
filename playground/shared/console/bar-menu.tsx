import { useSignal } from '@preact/signals';
import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { Button } from '../kit/button.tsx';

/** A button of the top bar that opens a panel below it. Escape, or a press elsewhere, closes the panel. */
export function BarMenu(props: {
  /** The text of the button. */
  label: ComponentChildren;
  /** The name of the panel. */
  name: string;
  children: ComponentChildren;
  testId: string;
}): JSX.Element {
  const { label, name, children, testId } = props;
  const isOpen = useSignal(false);
  const id = useId();
  const frame = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!isOpen.value) return undefined;
    const onPointer = ({ target }: PointerEvent): void => {
      // A dialog of the panel is inside the frame, and so is everything in it.
      if (target instanceof Node && !frame.current?.contains(target)) isOpen.value = false;
    };
    document.addEventListener('pointerdown', onPointer);
    return () => document.removeEventListener('pointerdown', onPointer);
  }, [isOpen.value]);
  return (
    <div
      ref={frame}
      class="bar-menu"
      onKeyDown={({ key, target }) => {
        const isInDialog = target instanceof Element && target.closest('dialog') !== null;
        if (key !== 'Escape' || !isOpen.value || isInDialog) return;
        isOpen.value = false;
        frame.current?.querySelector('button')?.focus();
      }}
    >
      <Button
        variant="bare"
        class="bar-button"
        aria-expanded={isOpen.value}
        aria-controls={id}
        onPress={() => (isOpen.value = !isOpen.value)}
        testId={testId}
      >
        {label}
      </Button>
      <div id={id} class="bar-panel" role="group" aria-label={name} hidden={!isOpen.value}>
        {isOpen.value && children}
      </div>
    </div>
  );
}
