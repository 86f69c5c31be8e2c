import type { ComponentChildren, JSX } from 'preact';
import { Button } from './button.tsx';

/**
 * An evaluation, shown as a colour. The text must state it too, because some users cannot see the colour.
 */
export type Tone = 'neutral' | 'good' | 'bad' | 'warn' | 'accent';

/** A label of one or two words for a state. */
export function Chip(props: {
  tone?: Tone;
  children: ComponentChildren;
  testId?: string;
}): JSX.Element {
  const { tone = 'neutral', children, testId } = props;
  return (
    <span class={`chip tone--${tone}`} data-testid={testId}>
      {children}
    </span>
  );
}

/** One of several values. It has a remove button if `remove` is given. */
export function ValueChip(props: {
  children: ComponentChildren;
  remove?: { readonly label: string; onPress(): unknown };
}): JSX.Element {
  const { children, remove } = props;
  return (
    <span class="chip chip--value">
      {children}
      {remove && (
        <Button
          variant="bare"
          class="chip__remove"
          aria-label={remove.label}
          onPress={remove.onPress}
        >
          <span aria-hidden="true">×</span>
        </Button>
      )}
    </span>
  );
}
