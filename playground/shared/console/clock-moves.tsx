import { type Signal, useSignal } from '@preact/signals';
import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import type { ControlClient } from 'ofage/mock/client';
import { parseDuration } from '../duration.ts';
import { Button, type ButtonProps } from '../kit/button.tsx';
import { formatError } from '../kit/format-error.ts';

/** Runs a move of the clock. Only one runs at a time. */
export type Move = (work: (clock: ControlClient['clock']) => Promise<unknown>) => Promise<void>;

export function ClockButton(props: Omit<ButtonProps, 'variant' | 'class'>): JSX.Element {
  return <Button {...props} variant="bare" class="clock__button" />;
}

export interface MoveProps {
  readonly move: Move;
  readonly isBusy: boolean;
  /** The time on the clock, or null until it is known. */
  readonly nowMs: number | null;
}

/** A button that opens the forms of {@link MoveForms} below it. */
export function MoreMoves(props: MoveProps): JSX.Element {
  const details = useRef<HTMLDetailsElement>(null);
  const isOpen = useSignal(false);
  return (
    <details
      class="clock__more"
      ref={details}
      onToggle={({ currentTarget }) => (isOpen.value = currentTarget.open)}
      onKeyDown={({ key }) => {
        if (key !== 'Escape' || !details.current?.open) return;
        details.current.open = false;
        details.current.querySelector('summary')?.focus();
      }}
    >
      <summary class="clock__button" data-testid="clock-more">
        More
      </summary>
      <div class="clock__panel">{isOpen.value && <MoveForms {...props} />}</div>
    </details>
  );
}

/** Forms that move the clock forward by any duration, or set it to any instant. */
export function MoveForms({ move, isBusy, nowMs }: MoveProps): JSX.Element {
  const length = useSignal('9m 30s');
  const instant = useSignal('');
  const problem = useSignal('');
  const problemId = useId();
  useEffect(() => {
    if (nowMs !== null) instant.value = new Date(nowMs).toISOString().slice(0, 19);
  }, []);

  const submit = (toMove: () => Parameters<Move>[0]): void => {
    try {
      problem.value = '';
      void move(toMove());
    } catch (error) {
      problem.value = formatError(error);
    }
  };
  const moveBy = (): Parameters<Move>[0] => {
    const ms = parseDuration(length.value);
    return (clock) => clock.advance(ms);
  };
  const moveTo = (): Parameters<Move>[0] => {
    // The field's value has no time zone. Its label says UTC.
    const atMs = Date.parse(`${instant.value}Z`);
    if (Number.isNaN(atMs)) throw new Error('Choose a date and a time');
    return (clock) => clock.set(atMs);
  };
  return (
    <>
      <MoveForm
        label="Move forward by"
        value={length}
        problemId={problemId}
        testId="clock-duration"
        onSubmit={() => submit(moveBy)}
      >
        <ClockButton busy={isBusy} testId="clock-move">
          Move
        </ClockButton>
      </MoveForm>
      <MoveForm
        label="Set to (UTC)"
        isInstant
        value={instant}
        problemId={problemId}
        testId="clock-instant"
        onSubmit={() => submit(moveTo)}
      >
        <ClockButton busy={isBusy} testId="clock-set">
          Set
        </ClockButton>
      </MoveForm>
      <p class="clock__problem" id={problemId} role="status">
        {problem.value}
      </p>
    </>
  );
}

function MoveForm(props: {
  label: string;
  isInstant?: boolean;
  value: Signal<string>;
  problemId: string;
  testId: string;
  onSubmit: () => void;
  children: ComponentChildren;
}): JSX.Element {
  const { label, isInstant, value, problemId, testId, onSubmit, children } = props;
  const id = useId();
  return (
    <form
      class="clock__form"
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    >
      <label for={id}>{label}</label>
      <input
        id={id}
        class="clock__input"
        {...(isInstant ? { type: 'datetime-local', step: '1' } : { autocomplete: 'off' })}
        data-testid={testId}
        value={value.value}
        aria-describedby={problemId}
        onInput={({ currentTarget }) => (value.value = currentTarget.value)}
      />
      {children}
    </form>
  );
}
