import type { ComponentChildren, JSX } from 'preact';

/** On a wide screen, the panels stand beside the shop. On others they are above the shelf, and closed. */
const HAS_SIDE = globalThis.matchMedia?.('(min-width: 64.01rem)').matches ?? true;

/** A panel about the shop, which a real one would not have. */
export function Panel(props: {
  id: string;
  title: string;
  /** Shown beside the title. */
  note?: ComponentChildren;
  children: ComponentChildren;
}): JSX.Element {
  const { id, title, note, children } = props;
  return (
    <details class="panel" open={HAS_SIDE} aria-labelledby={`${id}-title`} data-testid={id}>
      <summary>
        <h2 id={`${id}-title`}>{title}</h2>
        {note}
      </summary>
      {children}
    </details>
  );
}
