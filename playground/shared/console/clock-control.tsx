import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import type { ClockReading } from 'ofage/mock';
import { parseDuration, toDuration } from '../duration.ts';
import { Button } from '../kit/button.tsx';
import { formatError } from '../kit/format-error.ts';
import { useBusy } from '../kit/use-busy.ts';
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

/** How long news may come in before what is due next is asked again. */
const REST_MS = 300;

interface HeardReading {
  readonly clock: ClockReading;
  readonly heardAtMs: number;
}

/**
 * The provider's clock: every deadline hangs on it, and moving it runs what falls due on the way.
 *
 * For tests, by data-testid: clock, clock-freeze, clock-advance-60000 (and others), clock-next,
 * clock-more, clock-duration, clock-move, clock-instant, clock-set, clock-due.
 */
export function ClockControl({ provider }: { provider: Provider }): JSX.Element {
  const reading = useSignal<HeardReading | null>(null);
  const shownMs = useSignal<number | null>(null);
  const moving = useBusy();
  const trouble = useSignal('');

  const hear = (clock: ClockReading): void => {
    reading.value = { clock, heardAtMs: Date.now() };
    tick();
  };
  const tick = (): void => {
    if (!reading.value) return;
    const { clock, heardAtMs } = reading.value;
    shownMs.value = Date.parse(clock.now) + (clock.frozen ? 0 : Date.now() - heardAtMs);
  };

  useEffect(() => {
    let resting: ReturnType<typeof setTimeout> | undefined;
    const load = (): void => {
      // During a move its answer is on the way, and each instant of it is news.
      if (moving.isBusy) return;
      provider.control<ClockReading>('GET', '/clock').then(hear, () => undefined);
    };
    load();
    const ticking = setInterval(tick, 1_000);
    const stop = provider.subscribe(({ topic }) => {
      // A request changes nothing by itself; all else may bring a deadline, or end one.
      if (topic === 'request') return;
      clearTimeout(resting);
      resting = setTimeout(load, REST_MS);
    });
    return () => {
      clearInterval(ticking);
      clearTimeout(resting);
      stop();
    };
  }, [provider]);

  const move: Move = (action, body = {}) =>
    moving.run(async () => {
      trouble.value = '';
      try {
        hear(await provider.control<ClockReading>('POST', `/clock/${action}`, body));
      } catch (error) {
        trouble.value = formatError(error);
      }
    });

  const isFrozen = reading.value?.clock.frozen ?? false;
  const nextDue = reading.value?.clock.nextDue ?? null;
  const isNothingDue = reading.value !== null && nextDue === null;
  const untilDueMs =
    nextDue === null || shownMs.value === null ? null : Date.parse(nextDue) - shownMs.value;
  return (
    <div class="clock" role="group" aria-label="The provider's clock">
      {shownMs.value !== null && (
        <time
          class="clock__time"
          data-testid="clock"
          dateTime={new Date(shownMs.value).toISOString()}
        >
          {TIME.format(shownMs.value)} UTC
        </time>
      )}
      <span class="clock__state" role="status">
        {trouble.value || (moving.isBusy ? 'moving…' : isFrozen ? 'frozen' : '')}
      </span>
      <Button
        look="bare"
        class="clock__button"
        busy={moving.isBusy}
        onPress={() => move(isFrozen ? 'resume' : 'freeze')}
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
          onPress={() => move('advance', { ms })}
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
        unavailable={isNothingDue}
        onPress={() => move('next')}
        testId="clock-next"
      >
        Next due
      </Button>
      <span class="clock__state" data-testid="clock-due">
        {untilDueMs === null ? 'nothing is due' : `in ${toAbout(untilDueMs)}`}
      </span>
      <MoreMoves move={move} isMoving={moving.isBusy} nowMs={shownMs.value} />
    </div>
  );
}

type Move = (
  action: 'freeze' | 'resume' | 'advance' | 'next' | 'set',
  body?: object,
) => Promise<void>;

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
      void move('advance', { ms: parseDuration(length.value) });
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
    void move('set', { now: new Date(atMs).toISOString() });
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
