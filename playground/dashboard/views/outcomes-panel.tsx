import { useSignal } from '@preact/signals';
import type { SessionResource } from 'ofage/mock';
import type { JSX } from 'preact';
import { Panel } from '../../shared/console/parts.tsx';
import { toRoughDuration } from '../../shared/duration.ts';
import { ChoiceField } from '../../shared/kit/choice-field.tsx';
import { formatNumber } from '../../shared/to-count.ts';
import {
  type Bucket,
  filterByPreviousSpan,
  filterBySpan,
  SPANS,
  type Span,
  toBuckets,
  toSpanStartMs,
} from '../outcome-chart.ts';
import {
  countReasons,
  describeChange,
  medianDurationMs,
  STATUSES,
  summarise,
  toPercent,
} from '../outcomes.ts';
import type { RouteTarget } from '../route.ts';
import { toFieldValue } from '../session-search.ts';
import type { AppContext } from './app-context.ts';
import { OutcomeChart } from './chart.tsx';

const SPAN_NAMES = [
  { value: 'hours', text: '24 hours', before: 'the 24 hours before' },
  { value: 'days', text: '7 days', before: 'the 7 days before' },
] as const;

interface OutcomesProps {
  context: AppContext;
  /** The sessions that are loaded, oldest first. */
  sessions: readonly SessionResource[];
  /** True if the service has older sessions. */
  hasOlder: boolean;
}

/** Shows how the sessions of the last day or week ended. */
export function Outcomes({ context, sessions, hasOlder }: OutcomesProps): JSX.Element {
  const span = useSignal<Span>('hours');
  const nowMs = context.nowMs.value;
  const shown = filterBySpan(sessions, span.value, nowMs);
  // If every loaded session is within the span, the service may have more of them.
  const isPartial = hasOlder && shown.length === sessions.length;
  const from = toFieldValue(toSpanStartMs(span.value, nowMs));
  const linkTo = (query: Readonly<Record<string, string>>): string =>
    context.href({ section: 'sessions', query: { from, ...query } });
  return (
    <Panel
      title="Outcomes"
      testId="outcomes"
      actions={
        <ChoiceField
          label="Time span of the chart"
          class="choice"
          options={SPAN_NAMES}
          bind={span}
          testId="span"
        />
      }
    >
      <Tiles
        sessions={shown}
        previous={hasOlder ? [] : filterByPreviousSpan(sessions, span.value, nowMs)}
        span={span.value}
        isPartial={isPartial}
      />
      <Legend sessions={shown} linkTo={linkTo} />
      <OutcomeChart
        buckets={toBuckets(shown, span.value, nowMs)}
        span={span.value}
        href={(bucket, status) =>
          context.href(toBucketRoute(bucket, SPANS[span.value].stepMs, status ?? ''))
        }
      />
      <Reasons sessions={shown} linkTo={linkTo} />
    </Panel>
  );
}

function toBucketRoute({ startMs }: Bucket, stepMs: number, status: string): RouteTarget {
  const [from, to] = [toFieldValue(startMs), toFieldValue(startMs + stepMs)];
  return { section: 'sessions', query: { from, to, status } };
}

function Tiles(props: {
  sessions: readonly SessionResource[];
  /** The sessions of the previous span. Empty if they are not all known. */
  previous: readonly SessionResource[];
  span: Span;
  isPartial: boolean;
}): JSX.Element {
  const { sessions, previous, span, isPartial } = props;
  const { counts, total, completionRate, passRate } = summarise(sessions);
  const medianMs = medianDurationMs(sessions);
  const before = SPAN_NAMES.find(({ value }) => value === span)?.before ?? '';
  const change = describeChange(total, previous.length, before);
  const pending = `${formatNumber(counts.pending)} pending`;
  const tiles = [
    [
      'Sessions',
      `${formatNumber(total)}${isPartial ? '+' : ''}`,
      change === '' ? pending : `${pending}, ${change}`,
    ],
    ['Completion rate', toPercent(completionRate), 'of finished sessions got a result'],
    ['Pass rate', toPercent(passRate), 'of results were passes'],
    [
      'Median time',
      medianMs === null ? '–' : toRoughDuration(medianMs),
      'from the start to the result',
    ],
  ] as const;
  return (
    <dl class="tiles" data-testid="tiles">
      {tiles.map(([name, value, hint]) => (
        <div key={name} class="tile">
          <dt>{name}</dt>
          <dd>
            <strong>{value}</strong> <span class="muted">{hint}</span>
          </dd>
        </div>
      ))}
    </dl>
  );
}

interface CountsProps {
  sessions: readonly SessionResource[];
  linkTo: (query: Readonly<Record<string, string>>) => string;
}

function Legend({ sessions, linkTo }: CountsProps): JSX.Element {
  const { counts } = summarise(sessions);
  return (
    <ul class="legend" aria-label="Sessions by status">
      {STATUSES.map((status) => (
        <li key={status}>
          <a class="count" href={linkTo({ status })}>
            <span class={`swatch swatch--${status}`} /> {status}{' '}
            <strong>{formatNumber(counts[status])}</strong>
          </a>
        </li>
      ))}
    </ul>
  );
}

function Reasons({ sessions, linkTo }: CountsProps): JSX.Element | null {
  const reasons = countReasons(sessions);
  if (reasons.length === 0) return null;
  return (
    <>
      <h3>Reasons for failure</h3>
      <ul class="legend" aria-label="Failed sessions by reason" data-testid="reasons">
        {reasons.map(([reason, count]) => (
          <li key={reason}>
            <a class="count" href={linkTo({ status: 'failed', reason })}>
              <code>{reason}</code> <strong>{formatNumber(count)}</strong>
            </a>
          </li>
        ))}
      </ul>
    </>
  );
}
