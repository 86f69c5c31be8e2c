import { useSignal } from '@preact/signals';
import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { toRoughDuration } from '../duration.ts';
import { Button } from '../kit/button.tsx';
import { useBusy } from '../kit/use-busy.ts';
import type { Provider } from '../provider.ts';
import { useMedia } from '../use-media.ts';
import { useProblem } from '../use-query.ts';
import { ClockButton, MoreMoves, type Move, MoveForms, type MoveProps } from './clock-moves.tsx';

const STEPS = [
  { text: '+1 min', ms: 60_000 },
  { text: '+10 min', ms: 600_000 },
  { text: '+1 h', ms: 3_600_000 },
  { text: '+1 day', ms: 86_400_000 },
] as const;

/** The width from which all controls fit into one row with the navigation. */
const WIDE = '(min-width: 80rem)';

interface ControlsProps extends MoveProps {
  readonly isFrozen: boolean;
  /** The time of the next job. Null if there is none, or until it is known. */
  readonly nextDue: string | null;
}

/**
 * Controls for the service's clock. All deadlines use this clock, and moving it forward runs everything
 * that becomes due in between. On a narrow page, a button with the time opens them.
 *
 * The data-testid values: clock, clock-toggle, clock-freeze, clock-advance-60000 (one for each step),
 * clock-next, clock-more, clock-duration, clock-move, clock-instant, clock-set, clock-due.
 */
export function ClockControl({ provider }: { provider: Provider }): JSX.Element {
  const { client, live } = provider;
  const { reading, nowMs } = live.clock;
  // Keeps the stream open on pages that show nothing else of the service, such as the return page.
  useEffect(() => live.onMessage(() => {}), [live]);
  const isWide = useMedia(WIDE);
  const moving = useBusy();
  const problem = useProblem(live);
  const move: Move = (work) =>
    moving.run(async () => {
      problem.clear();
      await work(client.clock).catch(problem.set);
    });
  const controls: ControlsProps = {
    move,
    isBusy: moving.isBusy,
    nowMs: reading.value && nowMs.value,
    isFrozen: reading.value?.frozen ?? false,
    nextDue: reading.value && reading.value.nextDue,
  };
  return (
    <>
      <div class="clock" role="group" aria-label="The service's clock">
        {isWide ? (
          <div class="clock__row">
            <ClockTime nowMs={controls.nowMs} isLong />
            <ClockState {...controls} />
            <Controls {...controls} />
            <MoreMoves {...controls} />
          </div>
        ) : (
          <FoldedClock {...controls} />
        )}
      </div>
      <p class="clock__failure" role="status">
        {problem.text}
      </p>
    </>
  );
}

/** A button with the time, which opens the controls below it. */
function FoldedClock(props: ControlsProps): JSX.Element {
  const isOpen = useSignal(false);
  const id = useId();
  const frame = useRef<HTMLDivElement>(null);
  return (
    <div
      ref={frame}
      onKeyDown={({ key }) => {
        if (key !== 'Escape' || !isOpen.value) return;
        isOpen.value = false;
        frame.current?.querySelector('button')?.focus();
      }}
    >
      <Button
        variant="bare"
        class="clock__button"
        aria-expanded={isOpen.value}
        aria-controls={id}
        onPress={() => (isOpen.value = !isOpen.value)}
        testId="clock-toggle"
      >
        <span class="visually-hidden">Clock </span>
        <ClockTime nowMs={props.nowMs} />
        <span aria-hidden="true"> {isOpen.value ? '▴' : '▾'}</span>
      </Button>
      <div id={id} class="clock__panel" hidden={!isOpen.value}>
        {isOpen.value && (
          <>
            <p>
              {props.nowMs !== null && toText(props.nowMs)} <ClockState {...props} />
            </p>
            <div class="clock__steps">
              <Controls {...props} />
            </div>
            <MoveForms {...props} />
          </>
        )}
      </div>
    </div>
  );
}

function ClockTime({
  nowMs,
  isLong,
}: {
  nowMs: number | null;
  isLong?: boolean;
}): ComponentChildren {
  if (nowMs === null) {
    // Keeps the width of the button, so that the navigation beside it does not move.
    return isLong ? null : <span aria-hidden="true">--:--:--</span>;
  }
  const text = toText(nowMs);
  return (
    <time
      class="clock__time"
      data-testid="clock"
      dateTime={new Date(nowMs).toISOString()}
      title="The service's clock"
    >
      {isLong ? text : text.slice(11, 19)}
    </time>
  );
}

/** Formats a time as `2026-11-21 08:00:00 UTC`. */
function toText(nowMs: number): string {
  const iso = new Date(nowMs).toISOString();
  return `${iso.slice(0, 10)} ${iso.slice(11, 19)} UTC`;
}

function ClockState({ isBusy, isFrozen }: ControlsProps): JSX.Element {
  return (
    <span class="clock__state" role="status">
      {isBusy ? 'moving…' : isFrozen ? 'frozen' : ''}
    </span>
  );
}

function Controls(props: ControlsProps): JSX.Element {
  const { move, isBusy, nowMs, isFrozen, nextDue } = props;
  const untilDueMs = nextDue === null || nowMs === null ? null : Date.parse(nextDue) - nowMs;
  return (
    <>
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
      <ClockButton
        title="Moves the clock to the next deadline"
        busy={isBusy}
        unavailable={nowMs !== null && nextDue === null}
        onPress={() => move((clock) => clock.next())}
        testId="clock-next"
      >
        Next due
      </ClockButton>
      <span class="clock__due" data-testid="clock-due">
        {untilDueMs === null ? 'nothing due' : `in ${toAbout(untilDueMs)}`}
      </span>
    </>
  );
}

function toAbout(ms: number): string {
  return ms < 1_000 ? 'a moment' : toRoughDuration(Math.floor(ms / 1_000) * 1_000);
}
