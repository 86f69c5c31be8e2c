import { type ReadonlySignal, useSignal } from '@preact/signals';
import type { EventKind, ScenarioName, SessionResource } from 'ofage-mock';
import { EVENT_KINDS } from 'ofage-mock/client';
import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { NEVER } from '../../mock-server/words/states.ts';
import { formatTime } from '../../mock-server/words/times.ts';
import { ErrorNote, Moment } from '../shared/console/parts.tsx';
import { STATUS_TONES } from '../shared/console/tones.ts';
import { CheckField } from '../shared/kit/check-field.tsx';
import { Chip } from '../shared/kit/chip.tsx';
import { SelectField } from '../shared/kit/select-field.tsx';
import { type Result, useQuery } from '../shared/use-query.ts';
import type { Context } from './context.ts';
import { FieldGroup } from './form.tsx';
import { isReturning } from './places.ts';
import { scenarios } from './queries.ts';
import { toRelative } from './relative-time.ts';

// Small components that all pages of the console share.

export function StatusBadge({ status }: Pick<SessionResource, 'status'>): JSX.Element {
  return <Chip tone={STATUS_TONES[status]}>{status}</Chip>;
}

/** Only a passed check is worth validating, so "not yet" would look like an error for another one. */
export function describeUnvalidated(status: SessionResource['status']): string {
  return status === 'pending' || status === 'verified' ? 'not yet' : NEVER;
}

/** Shows the loaded data, and the error if the last read failed. */
export function Loaded<T>(props: {
  result: Pick<Result<T>, 'data' | 'error'>;
  children: (data: T) => ComponentChildren;
}): JSX.Element {
  const { data, error } = props.result;
  return (
    <>
      <ErrorNote text={error} testId="load-error" />
      {data !== null ? props.children(data) : !error && <p class="muted">Loading…</p>}
    </>
  );
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

/** Shows how long ago a time was, for a row of a list. The whole time is its title. */
export function Ago(props: { at: string | null; nowMs: ReadonlySignal<number> }): JSX.Element {
  const { at, nowMs } = props;
  if (at === null) return <Moment at={null} />;
  return (
    <time class="nowrap" dateTime={at} title={formatTime(at)}>
      {toRelative(at, nowMs.value)}
    </time>
  );
}

/**
 * Shows the heading of a page. The heading gets the focus after a navigation, so that screen readers
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
    document.title = `${pageTitle} · Console · OfAge playground`;
  }, [pageTitle]);
  useEffect(() => {
    // The heading gets no focus on the first load, because the page is then read from its beginning anyway,
    // and the user may have moved the focus while the page was loading.
    // The focus also stays in the account select, because the arrow keys pass through other accounts on the
    // way to the wanted one, and in the search field that the search key has just focused.
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
            <Breakable text={props.title} />
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

/** Shows an address that breaks after its slashes, rather than inside a word. */
export function Breakable({ text }: { text: string }): JSX.Element {
  const parts = text.split(/(?<=\/)/);
  return <>{parts.flatMap((part, at) => (at === 0 ? [part] : [<wbr key={at} />, part]))}</>;
}

/** A select with the outcomes of the catalogue. Shows the description of the chosen one. */
export function OutcomeField(props: {
  context: Context;
  name: string;
  testId: string;
}): JSX.Element {
  const { client, live } = props.context.provider;
  const catalogue = useQuery(live, scenarios(client)).data ?? [];
  const chosen = useSignal<ScenarioName>('verified');
  const description = catalogue.find(({ name }) => name === chosen.value)?.description;
  return (
    <SelectField
      name={props.name}
      label="Outcome"
      hint={description && `${description}.`}
      options={catalogue.map(({ name, title }) => ({
        value: name,
        // The API's name, unless the title is the same word.
        text: title.toLowerCase() === name ? title : `${title} (${name})`,
      }))}
      value="verified"
      onValue={(name) => (chosen.value = name)}
      testId={props.testId}
    />
  );
}

/** Checkboxes for the events that a webhook receives, under the name `events`. */
export function EventChoice(props: { events: readonly EventKind[] }): JSX.Element {
  return (
    <FieldGroup name="events" class="row">
      <legend class="field__label">Events</legend>
      {EVENT_KINDS.map((kind) => (
        <CheckField
          key={kind}
          name={`event:${kind}`}
          label={<code>{kind}</code>}
          value={props.events.includes(kind)}
          testId={`event-${kind}`}
        />
      ))}
    </FieldGroup>
  );
}

export function readEvents(form: FormData): EventKind[] {
  return EVENT_KINDS.filter((kind) => form.has(`event:${kind}`));
}
