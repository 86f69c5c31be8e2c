import { useSignal } from '@preact/signals';
import type { SessionResource } from 'ofage-mock';
import type { JSX } from 'preact';
import { ErrorNote, Panel } from '../shared/console/parts.tsx';
import { toRoughDuration } from '../shared/duration.ts';
import { Button } from '../shared/kit/button.tsx';
import { ChoiceField } from '../shared/kit/choice-field.tsx';
import { Chip } from '../shared/kit/chip.tsx';
import { formatNumber } from '../shared/to-count.ts';
import { useQuery } from '../shared/use-query.ts';
import { toAttention } from './attention.ts';
import { OutcomeChart } from './chart.tsx';
import type { Context } from './context.ts';
import { FirstSteps } from './first-steps.tsx';
import { NewSession } from './new-session.tsx';
import {
  chooseSpan,
  filterByPreviousSpan,
  filterBySpan,
  SPANS,
  type Span,
  toBuckets,
  toSpanStartMs,
} from './outcome-chart.ts';
import {
  countReasons,
  describeChange,
  medianDurationMs,
  STATUSES,
  summarise,
  toPercent,
} from './outcomes.ts';
import { Ago, Heading, Loaded } from './parts.tsx';
import * as queries from './queries.ts';
import { ReportAge, useReport } from './report.tsx';
import { toFieldValue } from './session-search.ts';
import { SessionTable } from './sessions.tsx';

export function Overview({ context }: { context: Context }): JSX.Element {
  const { provider, tenant } = context;
  const { client, live } = provider;
  const all = useQuery(live, queries.sessions(client, { tenantId: tenant.id, labs: false }));
  return (
    <>
      <Heading title="Overview" actions={<NewSession context={context} />}>
        Verification results for {tenant.name}
        {tenant.sandboxMode && ', in sandbox mode: shoppers choose the outcome'}.
      </Heading>
      <Attention context={context} />
      <Loaded result={all}>
        {({ items, hasOlder }) =>
          items.length === 0 ? (
            <FirstSteps context={context} />
          ) : (
            <>
              <Results context={context} sessions={items} hasOlder={hasOlder} />
              <Panel
                title="Latest sessions"
                testId="latest"
                actions={<a href={context.href({ page: 'sessions' })}>All sessions</a>}
              >
                <SessionTable context={context} sessions={items.slice(0, 5)} />
              </Panel>
            </>
          )
        }
      </Loaded>
    </>
  );
}

/** Shows what needs attention, with the problems that the doctor finds. */
function Attention({ context }: { context: Context }): JSX.Element | null {
  const { provider, tenant } = context;
  const { client, live } = provider;
  const { id } = tenant;
  const pairs = useQuery(live, queries.pairs(client, id));
  const endpoints = useQuery(live, queries.endpoints(client, id));
  const legacy = useQuery(live, queries.legacyWebhook(client, id));
  const faults = useQuery(live, queries.faults(client, id));
  const nextOutcomes = useQuery(live, queries.nextOutcomes(client, id));
  const report = useReport(context);
  if (!pairs.data || !endpoints.data || !legacy.data) return null;
  const lines = toAttention({
    tenant,
    pairs: pairs.data,
    endpoints: endpoints.data,
    legacy: legacy.data.legacy,
    faults: faults.data ?? [],
    nextOutcomes: nextOutcomes.data ?? [],
    findings: report.data?.findings ?? [],
  });
  return (
    <Panel
      title="Needs attention"
      testId="attention"
      actions={
        <Button small onPress={report.reload} testId="recheck">
          Check again
        </Button>
      }
    >
      <ErrorNote text={report.error} />
      {lines.length === 0 && report.data !== null && <p>Nothing.</p>}
      <ul class="lines">
        {lines.map(({ id: key, tone, badge, text, time, action, to }) => (
          <li key={key} data-testid="attention-line">
            <Chip tone={tone}>{badge}</Chip>
            <span class="lines__text">
              {text}{' '}
              {time && (
                <span class="muted">
                  ({time.word} <Ago at={time.at} nowMs={context.nowMs} />)
                </span>
              )}
            </span>
            <a href={context.href(to)}>{action}</a>
          </li>
        ))}
      </ul>
      <p class="muted">
        <ReportAge report={report} nowMs={context.nowMs} />
      </p>
    </Panel>
  );
}

const SPAN_NAMES = [
  { value: 'hour', text: '1 hour', before: 'the hour before' },
  { value: 'hours', text: '24 hours', before: 'the 24 hours before' },
  { value: 'days', text: '7 days', before: 'the 7 days before' },
] as const;

interface ResultsProps {
  context: Context;
  /** The sessions that are loaded, newest first. */
  sessions: readonly SessionResource[];
  /** True if the service has older sessions. */
  hasOlder: boolean;
}

/** Shows how the sessions of the last hour, day or week ended. */
function Results({ context, sessions, hasOlder }: ResultsProps): JSX.Element {
  const nowMs = context.nowMs.value;
  const chosen = useSignal<Span | null>(null);
  const span = chosen.value ?? chooseSpan(sessions, nowMs);
  const shown = filterBySpan(sessions, span, nowMs);
  // If every loaded session is within the span, the service may have more of them.
  const isPartial = hasOlder && shown.length === sessions.length;
  const from = toFieldValue(toSpanStartMs(span, nowMs));
  const linkTo = (query: Readonly<Record<string, string>>): string =>
    context.href({ page: 'sessions', query: { from, ...query } });
  return (
    <Panel
      title="Results"
      testId="outcomes"
      actions={
        <ChoiceField<Span>
          label="Time span of the chart"
          options={SPAN_NAMES}
          value={span}
          onValue={(next) => (chosen.value = next)}
          testId="span"
        />
      }
    >
      <Tiles
        sessions={shown}
        previous={hasOlder ? [] : filterByPreviousSpan(sessions, span, nowMs)}
        span={span}
        isPartial={isPartial}
      />
      <Legend sessions={shown} linkTo={linkTo} />
      <div class="split">
        <OutcomeChart
          buckets={toBuckets(shown, span, nowMs)}
          span={span}
          href={({ startMs }, status) => {
            const to = toFieldValue(startMs + SPANS[span].stepMs);
            return linkTo({ from: toFieldValue(startMs), to, status: status ?? '' });
          }}
        />
        <Reasons sessions={shown} linkTo={linkTo} />
      </div>
    </Panel>
  );
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
            <span class="swatch" style={{ '--status': `var(--${status})` }} /> {status}{' '}
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
    <section aria-labelledby="reasons">
      <h3 id="reasons">Reasons for failure</h3>
      <ul class="lines" data-testid="reasons">
        {reasons.map(([reason, count]) => (
          <li key={reason}>
            <a href={linkTo({ status: 'failed', reason })}>{reason}</a>
            <strong>{formatNumber(count)}</strong>
          </li>
        ))}
      </ul>
    </section>
  );
}
