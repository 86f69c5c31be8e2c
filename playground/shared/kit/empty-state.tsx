import type { ComponentChildren, JSX } from 'preact';

/** Shown when a list is empty. `title` says what is empty, and `children` say what to do. */
export function EmptyState(props: { title?: string; children?: ComponentChildren }): JSX.Element {
  const { title, children } = props;
  return (
    <div class="empty">
      {title && <p>{title}</p>}
      {children}
    </div>
  );
}
