import type { ComponentChildren, JSX, TargetedMouseEvent } from 'preact';
import { useBusy } from './use-busy.ts';

export type ButtonVariant = 'primary' | 'danger' | 'danger-filled' | 'bare';

type NativeProps = Omit<
  JSX.IntrinsicElements['button'],
  'aria-disabled' | 'children' | 'class' | 'onClick' | 'type'
>;

export interface ButtonProps extends NativeProps {
  children: ComponentChildren;
  /**
   * Called on a press. The button stays busy until the returned promise settles. If `onPress` is omitted,
   * the button submits its form.
   */
  onPress?: (event: TargetedMouseEvent<HTMLButtonElement>) => unknown;
  /** Ignores presses while another action is pending. */
  busy?: boolean | undefined;
  /**
   * Ignores presses that would have no effect now. Unlike `disabled`, this keeps the button in the tab
   * order.
   */
  unavailable?: boolean;
  /** The appearance of the button. `bare` has only the style of `class`. */
  variant?: ButtonVariant | undefined;
  small?: boolean | undefined;
  class?: string | undefined;
  testId?: string | undefined;
}

/**
 * A button that ignores presses while it is busy or unavailable. It is then `aria-disabled` and not
 * `disabled`, because a disabled button loses the keyboard focus.
 */
export function Button(props: ButtonProps): JSX.Element {
  const {
    children,
    onPress,
    busy,
    unavailable,
    variant,
    small,
    class: extra,
    testId,
    ...rest
  } = props;
  const own = useBusy();
  const isBusy = busy || own.isBusy;
  const press = (event: TargetedMouseEvent<HTMLButtonElement>): void => {
    // Reads the lock again, because a second press may come before the next rendering.
    if (isBusy || own.isBusy || unavailable) {
      // Prevents a submit button from submitting its form.
      event.preventDefault();
      return;
    }
    const result = onPress?.(event);
    if (result instanceof Promise) void own.run(() => result);
  };
  const base = variant === 'bare' ? [] : ['button', variant && `button--${variant}`];
  return (
    <button
      type={onPress ? 'button' : 'submit'}
      class={[...base, small && 'button--small', extra].filter(Boolean).join(' ')}
      data-testid={testId}
      data-busy={isBusy || undefined}
      aria-disabled={isBusy || unavailable || undefined}
      onClick={press}
      {...rest}
    >
      {children}
    </button>
  );
}
