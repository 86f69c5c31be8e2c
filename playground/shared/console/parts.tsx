import { useSignal } from '@preact/signals';
import type { ComponentChildren, JSX } from 'preact';
import { useId } from 'preact/hooks';
import { NEVER, NONE } from '../../../mock-server/words/states.ts';
import { formatTime } from '../../../mock-server/words/times.ts';
import { Button, type ButtonVariant } from '../kit/button.tsx';
import { announce } from '../kit/toast.tsx';

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

/** Shows the error of a failed read or action. Screen readers announce it when it appears. */
export function ErrorNote(props: { text: string; testId?: string }): JSX.Element | null {
  if (props.text === '') return null;
  return (
    <p class="note tone--bad" role="alert" data-testid={props.testId}>
      {props.text}
    </p>
  );
}

/** A name with its value. `false` omits the row. */
type Fact = readonly [name: string, value: ComponentChildren] | false;

/** A list of names with their values, in two columns. */
export function Facts(props: { facts: readonly Fact[]; class?: string }): JSX.Element {
  const shown = props.facts.filter((fact) => fact !== false);
  return (
    <dl class={props.class ?? 'facts'}>
      {shown.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Shows `value` as code. A string is shown unchanged, any other value as JSON. */
export function Json({ value, label }: { value: unknown; label: string }): JSX.Element {
  return (
    // The element scrolls, so it must be reachable by keyboard.
    <pre class="json" role="region" tabIndex={0} aria-label={label}>
      {typeof value === 'string' ? value : JSON.stringify(value, null, 2)}
    </pre>
  );
}

/** A button that copies `text`. `what` names the copied text for screen readers. */
export function Copy(props: {
  text: string;
  what: string;
  variant?: ButtonVariant;
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
    <Button small variant={props.variant} aria-label={`Copy ${props.what}`} onPress={copy}>
      {isCopied.value ? 'Copied' : (props.children ?? 'Copy')}
    </Button>
  );
}

/** A time of the service's clock. Null is the time of something that has not happened. */
export function Moment({ at }: { at: string | null }): JSX.Element {
  if (at === null) return <span class="muted">{NEVER}</span>;
  return (
    <time dateTime={at} title={at}>
      {formatTime(at)}
    </time>
  );
}

/** A value as text. Null is a value that is missing. */
export function Value({ of: value }: { of: string | null }): JSX.Element {
  return value === null ? <span class="muted">{NONE}</span> : <span>{value}</span>;
}
