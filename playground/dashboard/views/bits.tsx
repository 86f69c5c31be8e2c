import type { ReadonlySignal } from '@preact/signals';
import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { Moment, ErrorNote } from '../../shared/console/parts.tsx';
import { STATUS_TONES } from '../../shared/console/tones.ts';
import { Chip } from '../../shared/kit/chip.tsx';
import type { Loadable } from '../../shared/old-lists.ts';
import type { Status } from '../outcomes.ts';
import { isReturning } from '../places.ts';
import { toRelative } from '../relative-time.ts';

// Small components that all sections share.

export function StatusBadge({ status }: { status: Status }): JSX.Element {
  return <Chip tone={STATUS_TONES[status]}>{status}</Chip>;
}

/** Shows the loaded data, and the error if the last read failed. */
export function Loaded<T>(props: {
  live: Loadable<T>;
  children: (data: T) => ComponentChildren;
}): JSX.Element {
  const { live, children } = props;
  const data = live.data.value;
  const loadError = live.error.value;
  return (
    <>
      <ErrorNote text={loadError} />
      {data !== null ? children(data) : !loadError && <p class="muted">Loading…</p>}
    </>
  );
}

export function LoadedList<T>(props: {
  live: Loadable<readonly T[]>;
  empty: ComponentChildren;
  children: (items: readonly T[]) => ComponentChildren;
}): JSX.Element {
  const { live, empty, children } = props;
  return <Loaded live={live}>{(items) => (items.length === 0 ? empty : children(items))}</Loaded>;
}

/** Shows a time and its distance from the present, on the service's clock. */
export function When(props: { at: string | null; nowMs: ReadonlySignal<number> }): JSX.Element {
  const { at, nowMs } = props;
  if (at === null) return <Moment at={null} />;
  return (
    <span class="when">
      <Moment at={at} /> <span class="muted">({toRelative(at, nowMs.value)})</span>
    </span>
  );
}

/**
 * Shows the heading of a section. The heading gets the focus after a navigation, so that screen readers
 * announce it.
 */
export function Heading(props: {
  title: string;
  /** The name of the view in the title of the page. @default title */
  pageTitle?: string;
  /** Shown beside the title. */
  badge?: ComponentChildren;
  children?: ComponentChildren;
  actions?: ComponentChildren;
}): JSX.Element {
  const ref = useRef<HTMLHeadingElement>(null);
  const pageTitle = props.pageTitle ?? props.title;
  useEffect(() => {
    document.title = `${pageTitle} · Dashboard · OfAge playground`;
  }, [pageTitle]);
  useEffect(() => {
    // The heading gets no focus on the first load, because the page is then read from its beginning anyway,
    // and the user may have moved the focus while the page was loading.
    // The focus also stays in the account select, because the arrow keys pass through other accounts on the
    // way to the wanted one, and in the search field that the key "/" has just focused.
    const isChoosing = document.activeElement?.matches('select, input') ?? false;
    // After Back and Forward the focus returns to the link that had it.
    if (isLoaded && !isChoosing && !isReturning()) ref.current?.focus();
    isLoaded = true;
  }, []);
  return (
    <div class="page__head">
      <div>
        <div class="page__title">
          <h1 tabIndex={-1} ref={ref}>
            {props.title}
          </h1>
          {props.badge}
        </div>
        {props.children && <p>{props.children}</p>}
      </div>
      {props.actions && <div class="row">{props.actions}</div>}
    </div>
  );
}

let isLoaded = false;
