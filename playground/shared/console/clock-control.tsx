import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useId, useRef } from 'preact/hooks';
import type { ControlClient } from 'ofage/mock/client';
import { parseDuration, toDuration } from '../duration.ts';
import { Button } from '../kit/button.tsx';
import { formatError } from '../kit/format-error.ts';
import { useBusy } from '../kit/use-busy.ts';
import { useTrouble } from '../live/reconnect.ts';
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
 * The provider's clock: every deadline hangs on it, and moving it runs what falls due on the way.
 *
 * For tests, by data-testid: clock, clock-freeze, clock-advance-60000 (and others), clock-next,
 * clock-more, clock-duration, clock-move, clock-instant, clock-set, clock-due.
 */
export function ClockControl({ provider }: { provider: Provider }): JSX.Element {
  const { client, live } = provider;
  const { reading, nowMs } = live.clock;
  const moving = useBusy();
  const trouble = useTrouble();

  const move: Move = (work) =>
    moving.run(async () => {
      trouble.clear();
      await work(client.clock).catch(trouble.set);
    });

  const isFrozen = reading.value?.frozen ?? false;
  const nextDue = reading.value?.nextDue ?? null;
  const shownMs = reading.value && nowMs.value;
  const untilDueMs = nextDue === null || shownMs === null ? null : Date.parse(nextDue) - shownMs;
  return (
    <div class="clock" role="group" aria-label="The provider's clock">
      {shownMs !== null && (
        <time class="clock__time" data-testid="clock" dateTime={new Date(shownMs).toISOString()}>
          {TIME.format(shownMs)} UTC
        </time>
      )}
      <span class="clock__state" role="status">
        {trouble.text || (moving.isBusy ? 'moving…' : isFrozen ? 'frozen' : '')}
      </span>
      <Button
        look="bare"
        class="clock__button"
        busy={moving.isBusy}
        onPress={() => move((clock) => (isFrozen ? clock.resume() : clock.freeze()))}
        testId="clock-freeze"
      >
        {isFrozen ? 'Resume' : 'Freeze'}
      </Button>
      {STEPS.map(({ text, ms }) => (
        <Button
          key={ms}
          look="bare"
          class="clock__button"
          busy={moving.isBusy}
          onPress={() => move((clock) => clock.advance(ms))}
          testId={`clock-advance-${ms}`}
        >
          {text}
        </Button>
      ))}
      <Button
        look="bare"
        class="clock__button"
        title="Jump to the next thing that is due"
        busy={moving.isBusy}
        unavailable={reading.value !== null && nextDue === null}
        onPress={() => move((clock) => clock.next())}
        testId="clock-next"
      >
        Next due
      </Button>
      <span class="clock__state" data-testid="clock-due">
        {untilDueMs === null ? 'nothing is due' : `in ${toAbout(untilDueMs)}`}
      </span>
      <MoreMoves move={move} isMoving={moving.isBusy} nowMs={shownMs} />
    </div>
  );
}

type Move = (work: (clock: ControlClient['clock']) => Promise<unknown>) => Promise<void>;

/** By any length, and to any instant. */
function MoreMoves(props: { move: Move; isMoving: boolean; nowMs: number | null }): JSX.Element {
  const { move, isMoving, nowMs } = props;
  const details = useRef<HTMLDetailsElement>(null);
  const length = useSignal('9m 30s');
  const instant = useSignal('');
  const problem = useSignal('');
  const id = useId();

  const moveBy = (): void => {
    try {
      problem.value = '';
      const ms = parseDuration(length.value);
      void move((clock) => clock.advance(ms));
    } catch (error) {
      problem.value = formatError(error);
    }
  };
  const moveTo = (): void => {
    // What the field holds has no zone; it is labelled as UTC.
    const atMs = Date.parse(`${instant.value}Z`);
    if (Number.isNaN(atMs)) {
      problem.value = 'Choose a date and a time';
      return;
    }
    problem.value = '';
    void move((clock) => clock.set(atMs));
  };
  return (
    <details
      class="clock__more"
      ref={details}
      onToggle={({ currentTarget }) => {
        if (currentTarget.open && nowMs !== null && instant.value === '') {
          instant.value = new Date(nowMs).toISOString().slice(0, 19);
        }
      }}
      onKeyDown={({ key }) => {
        if (key !== 'Escape' || !details.current?.open) return;
        details.current.open = false;
        details.current.querySelector('summary')?.focus();
      }}
    >
      <summary class="clock__button" data-testid="clock-more">
        More
      </summary>
      <div class="clock__panel">
        <form
          class="clock__form"
          onSubmit={(event) => {
            event.preventDefault();
            moveBy();
          }}
        >
          <label for={`${id}-length`}>Move forward by</label>
          <input
            id={`${id}-length`}
            class="clock__input"
            data-testid="clock-duration"
            value={length.value}
            aria-describedby={`${id}-problem`}
            autocomplete="off"
            onInput={({ currentTarget }) => (length.value = currentTarget.value)}
          />
          <Button look="bare" class="clock__button" busy={isMoving} testId="clock-move">
            Move
          </Button>
        </form>
        <form
          class="clock__form"
          onSubmit={(event) => {
            event.preventDefault();
            moveTo();
          }}
        >
          <label for={`${id}-instant`}>Set to (UTC)</label>
          <input
            id={`${id}-instant`}
            class="clock__input"
            type="datetime-local"
            step="1"
            data-testid="clock-instant"
            value={instant.value}
            aria-describedby={`${id}-problem`}
            onInput={({ currentTarget }) => (instant.value = currentTarget.value)}
          />
          <Button look="bare" class="clock__button" busy={isMoving} testId="clock-set">
            Set
          </Button>
        </form>
        <p class="clock__problem" id={`${id}-problem`} role="status">
          {problem.value}
        </p>
      </div>
    </details>
  );
}

/** The two largest units: what is due in a day need not be told to the second. */
function toAbout(ms: number): string {
  if (ms < 1_000) return 'a moment';
  const parts = toDuration(Math.floor(ms / 1_000) * 1_000).split(' ');
  return parts.slice(0, 4).join(' ');
}
