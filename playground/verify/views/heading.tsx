import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';

interface HeadingProps {
  readonly children: ComponentChildren;
  /** Changes when a part of the view is removed, which may have had the focus. */
  readonly part?: unknown;
}

/**
 * The heading of a view. It takes the focus when the view appears, so that screen readers announce the
 * view, and when the focused element is removed.
 */
export function Heading({ children, part }: HeadingProps): JSX.Element {
  const heading = useRef<HTMLHeadingElement>(null);
  const focus = (): void => heading.current?.focus({ preventScroll: true });
  useEffect(focus, []);
  // Runs before the page moves the focus on to a control nearby, which a second press would activate.
  useLayoutEffect(() => {
    if (document.activeElement === document.body) focus();
  }, [part]);
  return (
    <h1 ref={heading} tabIndex={-1}>
      {children}
    </h1>
  );
}
