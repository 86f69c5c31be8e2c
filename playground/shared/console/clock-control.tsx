import { type Signal, useSignal } from '@preact/signals';
import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import type { ControlClient } from 'ofage/mock/client';
import { parseDuration, toRoughDuration } from '../duration.ts';
import { Button, type ButtonProps } from '../kit/button.tsx';
import { formatError } from '../kit/format-error.ts';
import { useBusy } from '../kit/use-busy.ts';
import { useProblem } from '../live/reconnect.ts';
import type { Provider } from '../provider.ts';

const STEPS = [
  { text: '+1 min', ms: 60_000 },
  { text: '+10 min', ms: 600_000 },
  { text: '+1 h', ms: 3_600_000 },
  { text: '+1 day', ms: 86_400_000 },
] as const;

const TIME = new Intl.DateTimeFormat('en-GB', {
  dateStyle: 'medium',
  timeStyle: 'medium',
  timeZone: 'UTC',
});

/**
 * Controls for the service's clock. All deadlines use this clock, and moving it forward runs everything
 * that becomes due in between.
 *
 * The data-testid values: clock, clock-freeze, clock-advance-60000 (and others), clock-next, clock-more,
 * clock-duration, clock-move, clock-instant, clock-set, clock-due.
 */
export function ClockControl({ provider }: { provider: Provider }): JSX.Element {
  const { client, live } = provider;
  const { reading, nowMs } = live.clock;
  const moving = useBusy();
  const problem = useProblem();
  const move: Move = (work) =>
    moving.run(async () => {
      problem.clear();
      await work(client.clock).catch(problem.set);
    });
  const { isBusy } = moving;
  const isFrozen = reading.value?.frozen ?? false;
  const shownMs = reading.value && nowMs.value;
  return (
    <div class="clock" role="group" aria-label="The provider's clock">
      {shownMs !== null && (
        <time class="clock__time" data-testid="clock" dateTime={new Date(shownMs).toISOString()}>
          {TIME.format(shownMs)} UTC
        </time>
      )}
      <span class="clock__state" role="status">
        {problem.text || (isBusy ? 'moving…' : isFrozen ? 'frozen' : '')}
      </span>
      <ClockButton
        busy={isBusy}
        onPress={() => move((clock) => (isFrozen ? clock.resume() : clock.freeze()))}
        testId="clock-freeze"
      >
        {isFrozen ? 'Resume' : 'Freeze'}
      </ClockButton>
      {STEPS.map(({ text, ms }) => (
        <ClockButton
          key={ms}
          busy={isBusy}
          onPress={() => move((clock) => clock.advance(ms))}
          testId={`clock-advance-${ms}`}
        >
          {text}
        </ClockButton>
      ))}
      <NextDue
        nextDue={reading.value && reading.value.nextDue}
        nowMs={shownMs}
        isBusy={isBusy}
        move={move}
      />
      <MoreMoves move={move} isBusy={isBusy} nowMs={shownMs} />
    </div>
  );
}

type Move = (work: (clock: ControlClient['clock']) => Promise<unknown>) => Promise<void>;

function ClockButton(props: Omit<ButtonProps, 'variant' | 'class'>): JSX.Element {
  return <Button {...props} variant="bare" class="clock__button" />;
}

function NextDue(props: {
  nextDue: string | null;
  nowMs: number | null;
  isBusy: boolean;
  move: Move;
}): JSX.Element {
  const { nextDue, nowMs, isBusy, move } = props;
  const untilDueMs = nextDue === null || nowMs === null ? null : Date.parse(nextDue) - nowMs;
  return (
    <>
      <ClockButton
        title="Jump to the next thing that is due"
        busy={isBusy}
        unavailable={nowMs !== null && nextDue === null}
        onPress={() => move((clock) => clock.next())}
        testId="clock-next"
      >
        Next due
      </ClockButton>
      <span class="clock__state" data-testid="clock-due">
        {untilDueMs === null ? 'nothing is due' : `in ${toAbout(untilDueMs)}`}
      </span>
    </>
  );
}

interface MoreProps {
  move: Move;
  isBusy: boolean;
  nowMs: number | null;
}

/** Forms that move the clock forward by any duration, or set it to any instant. */
function MoreMoves(props: MoreProps): JSX.Element {
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
      <MovePanel {...props} isOpen={isOpen.value} />
    </details>
  );
}

function MovePanel({ move, isBusy, nowMs, isOpen }: MoreProps & { isOpen: boolean }): JSX.Element {
  const length = useSignal('9m 30s');
  const instant = useSignal('');
  const problem = useSignal('');
  const problemId = useId();
  useEffect(() => {
    if (isOpen && nowMs !== null && instant.value === '') {
      instant.value = new Date(nowMs).toISOString().slice(0, 19);
    }
  }, [isOpen]);

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
    <div class="clock__panel">
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
    </div>
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

function toAbout(ms: number): string {
  return ms < 1_000 ? 'a moment' : toRoughDuration(Math.floor(ms / 1_000) * 1_000);
}
