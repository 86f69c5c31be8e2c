import { type Signal, useSignal } from '@preact/signals';
import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { announce } from './announce.tsx';

/** How good or bad something is. It is never said by colour alone. */
export type Tone = 'neutral' | 'good' | 'bad' | 'warn' | 'accent';

export function Badge(props: {
  tone?: Tone;
  children: ComponentChildren;
  testId?: string;
}): JSX.Element {
  const { tone = 'neutral', children, testId } = props;
  return (
    <span class={tone === 'neutral' ? 'badge' : `badge badge--${tone}`} data-testid={testId}>
      {children}
    </span>
  );
}

export function Panel(props: {
  title: string;
  actions?: ComponentChildren;
  children: ComponentChildren;
  testId?: string;
}): JSX.Element {
  const id = useId();
  return (
    <section class="panel" aria-labelledby={id} data-testid={props.testId}>
      <div class="panel__head">
        <h2 id={id}>{props.title}</h2>
        {props.actions && <div class="row">{props.actions}</div>}
      </div>
      {props.children}
    </section>
  );
}

/** What a field's control must carry. */
export interface FieldIds {
  readonly id: string;
  readonly 'aria-describedby'?: string;
  readonly 'aria-invalid'?: true;
}

/** A labelled control. `children` gets the id that the control must carry, and that of its hint. */
export function Field(props: {
  label: string;
  hint?: string | undefined;
  /** What is wrong with what was entered. */
  problem?: string | undefined;
  children: (ids: FieldIds) => ComponentChildren;
}): JSX.Element {
  const id = useId();
  const { hint, problem } = props;
  const described = [hint && `${id}-hint`, problem && `${id}-problem`].filter(Boolean).join(' ');
  return (
    <div class="field">
      <label class="field__label" for={id}>
        {props.label}
      </label>
      {props.children({
        id,
        ...(described && { 'aria-describedby': described }),
        ...(problem && { 'aria-invalid': true }),
      })}
      {hint && (
        <span class="field__hint" id={`${id}-hint`}>
          {hint}
        </span>
      )}
      {problem && (
        <span class="field__problem" id={`${id}-problem`} role="alert">
          {problem}
        </span>
      )}
    </div>
  );
}

/** A table that scrolls sideways by itself, also by keyboard. */
export function TableFrame(props: { label: string; children: ComponentChildren }): JSX.Element {
  return (
    <div class="table-frame" role="region" aria-label={props.label} tabIndex={0}>
      {props.children}
    </div>
  );
}

export function Json({ value, label }: { value: unknown; label: string }): JSX.Element {
  return (
    // In the tab order, because it scrolls.
    <pre class="json" role="region" tabIndex={0} aria-label={label}>
      {typeof value === 'string' ? value : JSON.stringify(value, null, 2)}
    </pre>
  );
}

export function Copy(props: {
  text: string;
  what: string;
  children?: ComponentChildren;
}): JSX.Element {
  const isCopied = useSignal(false);
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(props.text);
    isCopied.value = true;
    announce(`Copied ${props.what}`);
    setTimeout(() => (isCopied.value = false), 1_500);
  };
  return (
    <button
      type="button"
      class="button button--small"
      aria-label={`Copy ${props.what}`}
      onClick={() => void copy()}
    >
      {isCopied.value ? 'Copied' : (props.children ?? 'Copy')}
    </button>
  );
}

/** A moment of the provider's clock, in UTC as it stands on the wire. */
export function Moment({ at }: { at: string | null }): JSX.Element {
  if (at === null) return <span class="muted">never</span>;
  return (
    <time dateTime={at} title={at}>
      {at.slice(0, 10)} {at.slice(11, 19)}
    </time>
  );
}

/** A modal dialog on the platform's own element, which traps the focus and closes with Escape. */
export function Dialog(props: {
  title: string;
  isOpen: Signal<boolean>;
  children: ComponentChildren;
  testId?: string;
}): JSX.Element {
  const id = useId();
  const ref = useRef<HTMLDialogElement>(null);
  const { isOpen } = props;
  useEffect(
    () =>
      isOpen.subscribe((open) => {
        if (open && !ref.current?.open) ref.current?.showModal();
        else if (!open) ref.current?.close();
      }),
    [isOpen],
  );
  return (
    <dialog
      class="dialog"
      ref={ref}
      aria-labelledby={id}
      data-testid={props.testId}
      // The browser tells of a close a moment after it: until then a click could not open it again, and
      // what was opened meanwhile must stay open.
      onCancel={() => (isOpen.value = false)}
      onClose={() => {
        if (!ref.current?.open) isOpen.value = false;
      }}
    >
      {isOpen.value && (
        <div class="dialog__body">
          <h2 id={id}>{props.title}</h2>
          {props.children}
        </div>
      )}
    </dialog>
  );
}
