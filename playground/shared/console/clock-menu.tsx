import { useSignal } from '@preact/signals';
import type { ControlClient } from 'ofage-mock/client';
import type { JSX } from 'preact';
import { useEffect, useId } from 'preact/hooks';
import { formatTime, formatTimeInUtc, formatTimeOfDay } from '../../../mock-server/words/times.ts';
import { parseDuration, toRoughDuration } from '../duration.ts';
import { Button, type ButtonProps } from '../kit/button.tsx';
import { useBusy } from '../kit/use-busy.ts';
import type { Provider } from '../provider.ts';
import { useProblem } from '../use-query.ts';
import { BarMenu } from './bar-menu.tsx';

const STEPS = [
  { text: '+1 min', ms: 60_000 },
  { text: '+10 min', ms: 600_000 },
  { text: '+1 h', ms: 3_600_000 },
  { text: '+1 day', ms: 86_400_000 },
] as const;

/** Moves the clock. Only one move runs at a time. */
type Move = (work: (clock: ControlClient['clock']) => Promise<unknown>) => Promise<void>;

/**
 * A button with the time of the service's clock, which opens the controls of the clock. All deadlines use
 * this clock, and moving it forward runs everything that becomes due in between.
 */
export function ClockMenu({ provider }: { provider: Provider }): JSX.Element {
  const { client, live } = provider;
  const { reading, nowMs } = live.clock;
  // Keeps the stream open on pages that show nothing else of the service, such as the return page.
  useEffect(() => live.onMessage(() => {}), [live]);
  const moving = useBusy();
  const problem = useProblem(live);
  const move: Move = (work) =>
    moving.run(async () => {
      problem.clear();
      await work(client.clock).catch(problem.set);
    });
  const clock = reading.value;
  const time = clock ? new Date(nowMs.value).toISOString() : null;
  const isFrozen = clock?.frozen ?? false;
  const offset = toOffset(clock?.offsetMs ?? 0);
  const untilDueMs = clock?.nextDue ? Date.parse(clock.nextDue) - nowMs.value : null;
  return (
    <BarMenu
      name="The service's clock"
      testId="clock-toggle"
      label={
        <>
          <span class="visually-hidden">Clock </span>
          {time === null ? (
            // Keeps the width of the button, so that the navigation beside it does not move.
            <span aria-hidden="true">--:--:--</span>
          ) : (
            <time class="clock__time" data-testid="clock" dateTime={time}>
              {formatTimeOfDay(time)}
            </time>
          )}
          {(isFrozen || offset !== null) && (
            <span class="clock__shift" data-testid="clock-shift">
              {[isFrozen && 'frozen', offset?.short].filter(Boolean).join(' ')}
            </span>
          )}
        </>
      }
    >
      <div class="bar-panel__head">
        <p>
          {time !== null && formatTime(time)}{' '}
          <span class="clock__state" role="status">
            {moving.isBusy
              ? 'moving…'
              : [isFrozen && 'frozen', offset?.text].filter(Boolean).join(', ')}
          </span>
        </p>
        <ClockButton
          busy={moving.isBusy}
          onPress={() => move((own) => (isFrozen ? own.resume() : own.freeze()))}
          testId="clock-freeze"
        >
          {isFrozen ? 'Resume' : 'Freeze'}
        </ClockButton>
      </div>
      <fieldset class="bar-panel__group">
        <legend>Move forward</legend>
        <div class="bar-panel__row">
          {STEPS.map(({ text, ms }) => (
            <ClockButton
              key={ms}
              busy={moving.isBusy}
              onPress={() => move((own) => own.advance(ms))}
              testId={`clock-advance-${ms}`}
            >
              {text}
            </ClockButton>
          ))}
        </div>
        <MoveForm
          label="Move forward by"
          placeholder="9m 30s"
          submit="Move"
          testId="clock-duration"
          submitTestId="clock-move"
          busy={moving.isBusy}
          move={(text) => {
            const ms = parseDuration(text);
            return move((own) => own.advance(ms));
          }}
        />
        <div class="bar-panel__row">
          <ClockButton
            title="Moves the clock to the next deadline"
            busy={moving.isBusy}
            unavailable={clock !== null && untilDueMs === null}
            onPress={() => move((own) => own.next())}
            testId="clock-next"
          >
            Next due
          </ClockButton>
          <span class="clock__state" data-testid="clock-due">
            {clock !== null && (untilDueMs === null ? 'nothing due' : `in ${toAbout(untilDueMs)}`)}
          </span>
        </div>
      </fieldset>
      <fieldset class="bar-panel__group">
        <legend>Set to (UTC)</legend>
        <MoveForm
          label="Set to (UTC)"
          value={time ? formatTimeInUtc(time) : ''}
          submit="Set"
          testId="clock-instant"
          submitTestId="clock-set"
          busy={moving.isBusy}
          move={(text) => {
            const atMs = Date.parse(`${text.trim().replace(' ', 'T')}Z`);
            if (Number.isNaN(atMs))
              throw new Error(`Enter a time such as 2026-12-31 23:59:00, not "${text}"`);
            return move((own) => own.set(atMs));
          }}
        />
      </fieldset>
      <p class="bar-panel__problem" role="status">
        {problem.text}
      </p>
    </BarMenu>
  );
}

function ClockButton(props: Omit<ButtonProps, 'variant' | 'class'>): JSX.Element {
  return <Button {...props} variant="bare" class="bar-button" />;
}

/** A form with one field that moves the clock, by a duration or to an instant. */
function MoveForm(props: {
  label: string;
  value?: string;
  placeholder?: string;
  submit: string;
  busy: boolean;
  testId: string;
  submitTestId: string;
  /** @throws an error for the user if the text cannot be used */
  move(text: string): Promise<void>;
}): JSX.Element {
  const { label, value, placeholder, submit, busy, testId, submitTestId, move } = props;
  const id = useId();
  const problem = useSignal('');
  return (
    <form
      class="clock__form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        try {
          problem.value = '';
          void move(String(new FormData(event.currentTarget).get('value')));
        } catch (error) {
          problem.value = (error as Error).message;
        }
      }}
    >
      <input
        name="value"
        class="clock__input"
        autocomplete="off"
        placeholder={placeholder}
        data-testid={testId}
        defaultValue={value}
        aria-label={label}
        aria-describedby={id}
      />
      <ClockButton busy={busy} testId={submitTestId}>
        {submit}
      </ClockButton>
      <p class="bar-panel__problem" id={id} role="status">
        {problem.value}
      </p>
    </form>
  );
}

/** Describes how far the clock is ahead of this computer or behind it. Returns null for less than a second. */
function toOffset(offsetMs: number): { readonly short: string; readonly text: string } | null {
  const seconds = Math.round(Math.abs(offsetMs) / 1_000);
  if (seconds === 0) return null;
  const length = toRoughDuration(seconds * 1_000);
  return offsetMs > 0
    ? { short: `+${length}`, text: `${length} ahead of this computer` }
    : { short: `−${length}`, text: `${length} behind this computer` };
}

function toAbout(ms: number): string {
  return ms < 1_000 ? 'a moment' : toRoughDuration(Math.floor(ms / 1_000) * 1_000);
}
