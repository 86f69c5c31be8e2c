import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

interface HeadingProps {
  readonly children: ComponentChildren;
  /** What of the view may go while it is up, and take the focus along. */
  readonly part?: unknown;
}

/**
 * The heading of a view. It takes the focus when the view comes up, so that the view is read out, and when
 * what had it has gone.
 */
export function Heading({ children, part }: HeadingProps): JSX.Element {
  const heading = useRef<HTMLHeadingElement>(null);
  const focus = (): void => heading.current?.focus({ preventScroll: true });
  useEffect(focus, []);
  useEffect(() => {
    if (document.activeElement === document.body) focus();
  }, [part]);
  return (
    <h1 ref={heading} tabIndex={-1}>
      {children}
    </h1>
  );
}
