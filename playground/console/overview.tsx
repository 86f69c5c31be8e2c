import { useSignal } from '@preact/signals';
import type { SessionStatistics } from 'ofage-mock';
import type { JSX } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { toAccountLabel } from '../../mock-server/words/accounts.ts';
import { NONE, SESSION_STATUSES } from '../../mock-server/words/states.ts';
import { toFieldValue } from '../../mock-server/words/times.ts';
import { ErrorNote, Panel } from '../shared/console/parts.tsx';
import { toRoughDuration } from '../shared/duration.ts';
import { ChoiceField } from '../shared/kit/choice-field.tsx';
import { Button } from '../shared/kit/button.tsx';
import { Chip } from '../shared/kit/chip.tsx';
import { formatNumber } from '../../mock-server/words/counts.ts';
import { IS_STATIC } from '../shared/site.ts';
import { useQuery } from '../shared/use-query.ts';
import { type AttentionLine, toAttention } from './attention.ts';
import { OutcomeChart } from './chart.tsx';
import type { Context } from './context.ts';
import { FirstSteps, STEP_CODES } from './first-steps.tsx';
import { NewSession } from './new-session.tsx';
import { chooseSpan, SPANS, type Span, toSpanStartMs } from './outcome-chart.ts';
import { describeChange, toPercent } from './outcomes.ts';
import { Ago, Heading } from './parts.tsx';
import { PublicAddress } from './public-address.tsx';
import * as queries from './queries.ts';
import { type Report, ReportAge, useReport } from './report.tsx';
import { SessionTable } from './sessions.tsx';

/** The number of sessions in the panel of the latest ones. */
const LATEST = 5;

export function Overview({ context }: { context: Context }): JSX.Element {
  const { provider, tenant } = context;
  const { client, live } = provider;
  const report = useReport(context);
  const untried = report.data?.untried ?? [];
  // The service of the static playground runs in the page, so no server or page of the user can reach it.
  const hasSteps = !IS_STATIC && untried.some(({ code }) => STEP_CODES.includes(code));
  const attention = useAttention(context, report, hasSteps);
  const results = useResults(context);
  const latest = useQuery(
    live,
    queries.sessions(client, { tenantId: tenant.id, labs: false, limit: LATEST }),
  );
  const isPublic = useIsPublic(context);
  // Everything appears at once, so that no panel moves another one.
  const isLoaded =
    attention !== null &&
    isPublic !== null &&
    (results.shown !== null || results.error !== '') &&
    (latest.data !== null || latest.error !== '');
  const hasSessions = latest.data?.items.length !== 0;
  // The results come first, but not the first ones, which would move the steps while one reads them.
  const hadSessions = useRef<boolean | null>(null);
  if (isLoaded) hadSessions.current ??= hasSessions;
  const steps = hasSteps && <FirstSteps context={context} reported={untried} />;
  return (
    <>
      <Heading title="Overview" actions={<NewSession context={context} />}>
        Verification results for {toAccountLabel(tenant)}
        {tenant.sandboxMode && ', in sandbox mode: shoppers choose the outcome'}.
      </Heading>
      <ErrorNote text={results.error || latest.error} testId="load-error" />
      {isLoaded ? (
        <>
          {(attention.length > 0 || report.error !== '') && (
            <Attention context={context} lines={attention} report={report} />
          )}
          {isPublic && <PublicAddress context={context} />}
          {!hadSessions.current && steps}
          {hasSessions && (
            <>
              <Results context={context} results={results} />
              {latest.data && (
                <Panel
                  title="Latest sessions"
                  testId="latest"
                  actions={<a href={context.href({ page: 'sessions' })}>All sessions</a>}
                >
                  <SessionTable context={context} sessions={latest.data.items} />
                </Panel>
              )}
            </>
          )}
          {hadSessions.current && steps}
        </>
      ) : (
        <p class="muted">Loading…</p>
      )}
    </>
  );
}

/** Tells whether other devices reach the mock, which never changes while it runs. Null while it is loading. */
function useIsPublic({ provider }: Context): boolean | null {
  const { client, live } = provider;
  const { data, error } = useQuery(live, queries.hasPublicAddress(client));
  return data?.isPublic ?? (error === '' ? null : false);
}

/** Returns what needs attention, or null while it is loading. A part that cannot be read is left out. */
function useAttention(
  { provider, tenant }: Context,
  report: Report,
  hasSteps: boolean,
): readonly AttentionLine[] | null {
  const { client, live } = provider;
  const { id } = tenant;
  const pairs = useQuery(live, queries.pairs(client, id));
  const endpoints = useQuery(live, queries.endpoints(client, id));
  const legacy = useQuery(live, queries.legacyWebhook(client, id));
  const faults = useQuery(live, queries.faults(client, id));
  const nextOutcomes = useQuery(live, queries.nextOutcomes(client, id));
  const all = [pairs, endpoints, legacy, faults, nextOutcomes, report];
  if (all.some(({ data, error }) => data === null && error === '')) return null;
  return toAttention({
    tenant,
    pairs: pairs.data,
    endpoints: legacy.data === null ? null : endpoints.data,
    legacy: legacy.data?.legacy ?? null,
    faults: faults.data ?? [],
    nextOutcomes: nextOutcomes.data ?? [],
    findings: report.data?.findings ?? [],
    untried: report.data?.untried ?? [],
    hasSteps,
  });
}

/** Shows what needs attention. */
function Attention(props: {
  context: Context;
  lines: readonly AttentionLine[];
  report: Report;
}): JSX.Element {
  const { context, lines, report } = props;
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
      <p class="muted report-age">
        <ReportAge report={report} nowMs={context.nowMs} />
      </p>
    </Panel>
  );
}

/** The counts of one time span. */
interface Counted {
  readonly span: Span;
  readonly statistics: SessionStatistics;
}

interface OverviewResults {
  /** Null while they are loading. After the choice of another span, the old counts stay until they have loaded. */
  readonly shown: Counted | null;
  readonly error: string;
  readonly span: Span;
  choose(span: Span): void;
}

/** Counts the sessions of the chosen span or, at first, of the shortest one that has all sessions. */
function useResults({ provider, tenant, nowMs }: Context): OverviewResults {
  const { client, live } = provider;
  const chosen = useSignal<Span | null>(null);
  const oldestAt = useSignal<string | null>(null);
  const span =
    chosen.value ?? (oldestAt.value === null ? 'hour' : chooseSpan(oldestAt.value, nowMs.value));
  const from = new Date(toSpanStartMs(span, nowMs.value)).toISOString();
  const filter = { tenantId: tenant.id, labs: false, from, stepMs: SPANS[span].stepMs };
  const { read, ...query } = queries.sessionStatistics(client, filter);
  const counted = useQuery(live, {
    ...query,
    read: async (): Promise<Counted> => ({ span, statistics: await read() }),
  });
  const { data, error } = counted;
  const oldest = data?.statistics.oldestAt ?? null;
  useLayoutEffect(() => {
    oldestAt.value = oldest;
  }, [oldest]);
  // At first, the counts of an hour only say how old the sessions are.
  const isChosen = chosen.value !== null || oldest === null || oldestAt.value === oldest;
  const isSettled = useRef(false);
  if (data && isChosen && data.span === span) isSettled.current = true;
  return {
    shown: isSettled.current ? data : null,
    error,
    span,
    choose: (next) => (chosen.value = next),
  };
}

const SPAN_NAMES = [
  { value: 'hour', text: '1 hour', before: 'the hour before' },
  { value: 'hours', text: '24 hours', before: 'the 24 hours before' },
  { value: 'days', text: '7 days', before: 'the 7 days before' },
] as const;

/** Shows how the sessions of the last hour, day or week ended. */
function Results(props: { context: Context; results: OverviewResults }): JSX.Element | null {
  const { context, results } = props;
  const { shown, choose } = results;
  if (!shown) return null;
  const { span, statistics } = shown;
  const from = toFieldValue(toSpanStartMs(span, context.nowMs.value));
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
          value={results.span}
          onValue={choose}
          testId="span"
        />
      }
    >
      <Tiles statistics={statistics} span={span} />
      <Legend statistics={statistics} linkTo={linkTo} />
      <div class="split">
        <OutcomeChart
          steps={statistics.steps}
          span={span}
          href={(step, status) => {
            const startMs = Date.parse(step.from);
            const to = toFieldValue(startMs + SPANS[span].stepMs);
            return linkTo({ from: toFieldValue(startMs), to, status: status ?? '' });
          }}
        />
        <Reasons statistics={statistics} linkTo={linkTo} />
      </div>
    </Panel>
  );
}

function Tiles({ statistics, span }: Counted): JSX.Element {
  const { total, counts, completionRate, passRate, medianMs, previousTotal } = statistics;
  const before = SPAN_NAMES.find(({ value }) => value === span)?.before ?? '';
  const change = describeChange(total, previousTotal, before);
  const pending = `${formatNumber(counts.pending)} pending`;
  const tiles = [
    ['Sessions', formatNumber(total), change === '' ? pending : `${pending}, ${change}`],
    ['Completion rate', toPercent(completionRate), 'of finished sessions got a result'],
    ['Pass rate', toPercent(passRate), 'of results were passes'],
    [
      'Median time',
      medianMs === null ? NONE : toRoughDuration(medianMs),
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
  statistics: SessionStatistics;
  linkTo: (query: Readonly<Record<string, string>>) => string;
}

function Legend({ statistics, linkTo }: CountsProps): JSX.Element {
  const { counts } = statistics;
  return (
    <ul class="legend" aria-label="Sessions by status">
      {SESSION_STATUSES.map((status) => (
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

function Reasons({ statistics, linkTo }: CountsProps): JSX.Element | null {
  const { reasons } = statistics;
  if (reasons.length === 0) return null;
  return (
    <section aria-labelledby="reasons">
      <h3 id="reasons">Reasons for failure</h3>
      <ul class="lines" data-testid="reasons">
        {reasons.map(({ reason, count }) => (
          <li key={reason}>
            <a href={linkTo({ status: 'failed', reason })}>{reason}</a>
            <strong>{formatNumber(count)}</strong>
          </li>
        ))}
      </ul>
    </section>
  );
}
