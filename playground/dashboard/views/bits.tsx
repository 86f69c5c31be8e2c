import type { ReadonlySignal } from '@preact/signals';
import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { Moment, Trouble } from '../../shared/console/parts.tsx';
import { Chip, type Tone } from '../../shared/kit/chip.tsx';
import type { Loadable } from '../../shared/live.ts';
import type { Status } from '../outcomes.ts';
import { toRelative } from '../relative-time.ts';

/** The small things that every section shows. */

const STATUS_TONES = {
  pending: 'accent',
  verified: 'good',
  failed: 'bad',
  cancelled: 'neutral',
  expired: 'warn',
} as const satisfies Record<Status, Tone>;

export function StatusBadge({ status }: { status: Status }): JSX.Element {
  return <Chip tone={STATUS_TONES[status]}>{status}</Chip>;
}

/** Shows what was loaded, or why it could not be. */
export function Loaded<T>(props: {
  live: Loadable<T>;
  children: (data: T) => ComponentChildren;
}): JSX.Element {
  const { live, children } = props;
  const data = live.data.value;
  const trouble = live.trouble.value;
  return (
    <>
      <Trouble text={trouble} />
      {data !== null ? children(data) : !trouble && <p class="muted">Loading…</p>}
    </>
  );
}

/** Shows the items of a list that was loaded, or `empty` when there are none. */
export function LoadedList<T>(props: {
  live: Loadable<readonly T[]>;
  empty: ComponentChildren;
  children: (items: readonly T[]) => ComponentChildren;
}): JSX.Element {
  const { live, empty, children } = props;
  return <Loaded live={live}>{(items) => (items.length === 0 ? empty : children(items))}</Loaded>;
}

/** A moment and how far away it is, by the provider's clock. */
export function When(props: { at: string | null; nowMs: ReadonlySignal<number> }): JSX.Element {
  const { at, nowMs } = props;
  if (at === null) return <Moment at={null} />;
  return (
    <span class="when">
      <Moment at={at} /> <span class="muted">({toRelative(at, nowMs.value)})</span>
    </span>
  );
}

/** The heading of a section. It takes the focus when one goes there, so that it is read out. */
export function Heading(props: {
  title: string;
  children?: ComponentChildren;
  actions?: ComponentChildren;
}): JSX.Element {
  const ref = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    const { activeElement, body } = document;
    // Not when the page has just been opened: then it is read from its beginning anyway. And not out of
    // the choice of the account: whoever goes through it by arrow keys comes by others on the way.
    const isChoosing = activeElement instanceof HTMLSelectElement;
    if ((activeElement !== body || hasMoved) && !isChoosing) ref.current?.focus();
    hasMoved = true;
  }, []);
  return (
    <div class="page__head">
      <div>
        <h1 tabIndex={-1} ref={ref}>
          {props.title}
        </h1>
        {props.children && <p>{props.children}</p>}
      </div>
      {props.actions && <div class="row">{props.actions}</div>}
    </div>
  );
}

let hasMoved = false;
