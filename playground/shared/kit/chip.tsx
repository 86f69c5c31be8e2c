import type { ComponentChildren, JSX } from 'preact';
import { Button } from './button.tsx';

/** A judgement, shown as a colour. The text must say it too, because not everyone sees colours. */
export type Tone = 'neutral' | 'good' | 'bad' | 'warn' | 'accent';

/** A word or two about the state of something. */
export function Chip(props: {
  tone?: Tone;
  children: ComponentChildren;
  testId?: string;
}): JSX.Element {
  const { tone = 'neutral', children, testId } = props;
  return (
    <span class={tone === 'neutral' ? 'chip' : `chip chip--${tone}`} data-testid={testId}>
      {children}
    </span>
  );
}

/** A value among several, which can be taken away when `onRemove` is given. */
export function ValueChip(props: {
  children: ComponentChildren;
  remove?: { readonly label: string; onPress(): unknown };
}): JSX.Element {
  const { children, remove } = props;
  return (
    <span class="chip chip--value">
      {children}
      {remove && (
        <Button look="bare" class="chip__remove" aria-label={remove.label} onPress={remove.onPress}>
          <span aria-hidden="true">×</span>
        </Button>
      )}
    </span>
  );
}
