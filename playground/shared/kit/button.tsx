import type { ComponentChildren, JSX, TargetedMouseEvent } from 'preact';
import { useBusy } from './use-busy.ts';

export type ButtonLook = 'primary' | 'danger' | 'danger-filled' | 'bare';

type NativeProps = Omit<
  JSX.IntrinsicElements['button'],
  'aria-disabled' | 'children' | 'class' | 'onClick' | 'type'
>;

export interface ButtonProps extends NativeProps {
  children: ComponentChildren;
  /** The button is busy until a promise that this returns has settled. Without it, it submits its form. */
  onPress?: (event: TargetedMouseEvent<HTMLButtonElement>) => unknown;
  /** Whether an action that this button must not repeat or overtake is pending. */
  busy?: boolean | undefined;
  /** Whether it would have no effect now. It keeps its place in the tab order, unlike with `disabled`. */
  unavailable?: boolean;
  /** `bare` has no style but that of `class`. */
  look?: ButtonLook | undefined;
  small?: boolean | undefined;
  class?: string | undefined;
  testId?: string | undefined;
}

/**
 * A button. While it is busy or unavailable, presses are ignored. It is `aria-disabled` then and not
 * `disabled`, because a disabled button loses the keyboard focus.
 */
export function Button(props: ButtonProps): JSX.Element {
  const {
    children,
    onPress,
    busy,
    unavailable,
    look,
    small,
    class: extra,
    testId,
    ...rest
  } = props;
  const own = useBusy();
  const press = (event: TargetedMouseEvent<HTMLButtonElement>): void => {
    if (busy || unavailable || own.isBusy) {
      // Otherwise a submit button would submit its form.
      event.preventDefault();
      return;
    }
    const result = onPress?.(event);
    if (result instanceof Promise) void own.run(() => result);
  };
  const base = look === 'bare' ? [] : ['button', look && `button--${look}`];
  return (
    <button
      type={onPress ? 'button' : 'submit'}
      class={[...base, small && 'button--small', extra].filter(Boolean).join(' ')}
      data-testid={testId}
      aria-disabled={busy || unavailable || own.isBusy || undefined}
      onClick={press}
      {...rest}
    >
      {children}
    </button>
  );
}
