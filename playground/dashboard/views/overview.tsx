import { useSignal } from '@preact/signals';
import type { SessionResource } from 'ofage/mock';
import type { JSX } from 'preact';
import { Panel } from '../../shared/console/parts.tsx';
import { Chip } from '../../shared/kit/chip.tsx';
import { ChoiceField } from '../../shared/kit/choice-field.tsx';
import { EmptyState } from '../../shared/kit/empty-state.tsx';
import { combine } from '../../shared/live/loadable.ts';
import { endpoints, sessions } from '../../shared/live/sources.ts';
import { useList, useQuery } from '../../shared/live/use-live.ts';
import { siteUrl } from '../../shared/site.ts';
import { MAX_SESSIONS } from '../find-sessions.ts';
import { toHealthLines } from '../health-lines.ts';
import { filterBySpan, type Span, toBuckets } from '../outcome-chart.ts';
import { legacyWebhook, nextOutcomes } from '../queries.ts';
import { type OutcomeSummary, STATUSES, summarise, toPercent } from '../outcomes.ts';
import { Heading, Loaded, StatusBadge, When } from './bits.tsx';
import { OutcomeChart } from './chart.tsx';
import type { AppContext } from './app-context.ts';
import { NewSession } from './new-session.tsx';
import { RunPanel } from './run-panel.tsx';
import { useOwnFaults } from './use-own-faults.ts';
import { usePairs } from './use-pairs.ts';

export function Overview({ context }: { context: AppContext }): JSX.Element {
  const { provider, tenant } = context;
  const newest = useList(provider.live, sessions({ tenantId: tenant.id }, MAX_SESSIONS));
  return (
    <>
      <Heading title="Overview" actions={<NewSession context={context} />}>
        How verification goes for {tenant.name}, by the provider’s clock.
      </Heading>
      <Loaded live={newest}>
        {(items) =>
          items.length === 0 ? (
            <Panel title="Outcomes">
              <EmptyState title="No session yet.">
                <p>
                  Verify your age in <a href={siteUrl('')}>the demo shop</a>, or start a test
                  session here: it shows up at once.
                </p>
              </EmptyState>
            </Panel>
          ) : (
            <>
              <Outcomes context={context} sessions={items} isPartial={newest.hasOlder.value} />
              <Latest context={context} sessions={items.slice(-5).toReversed()} />
            </>
          )
        }
      </Loaded>
      <Health context={context} />
      <RunPanel context={context} />
    </>
  );
}

const SPANS = [
  { value: 'hours', text: '24 hours' },
  { value: 'days', text: '7 days' },
] as const;

function Outcomes(props: {
  context: AppContext;
  sessions: readonly SessionResource[];
  isPartial: boolean;
}): JSX.Element {
  const { context, sessions, isPartial } = props;
  const span = useSignal<Span>('hours');
  const nowMs = context.nowMs.value;
  const shown = filterBySpan(sessions, span.value, nowMs);
  const summary = summarise(shown);
  return (
    <Panel
      title="Outcomes"
      actions={
        <ChoiceField
          label="Time span of the chart"
          class="choice"
          options={SPANS}
          bind={span}
          testId="span"
        />
      }
    >
      <Tiles summary={summary} />
      <ul class="legend" aria-label="Sessions by status">
        {STATUSES.map((status) => (
          <li key={status}>
            <a class="count" href={context.href({ section: 'sessions', query: { status } })}>
              <span class={`swatch swatch--${status}`} /> {status}{' '}
              <strong>{summary.counts[status]}</strong>
            </a>
          </li>
        ))}
      </ul>
      <OutcomeChart buckets={toBuckets(shown, span.value, nowMs)} span={span.value} />
      {isPartial && (
        <p class="muted">The numbers are those of the newest {MAX_SESSIONS} sessions.</p>
      )}
    </Panel>
  );
}

function Tiles({ summary }: { summary: OutcomeSummary }): JSX.Element {
  const { counts, total, completionRate, passRate } = summary;
  const tiles = [
    ['Sessions', total, `${counts.pending} pending`],
    ['Completion rate', toPercent(completionRate), 'of those that ended, with a result'],
    ['Pass rate', toPercent(passRate), 'of the results'],
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

function Latest(props: { context: AppContext; sessions: readonly SessionResource[] }): JSX.Element {
  const { context, sessions } = props;
  return (
    <Panel
      title="Latest sessions"
      actions={<a href={context.href({ section: 'sessions' })}>All sessions</a>}
    >
      <ul class="lines">
        {sessions.map(({ id, status, externalUserId, createdAt }) => (
          <li key={id}>
            <StatusBadge status={status} />
            <a href={context.href({ section: 'sessions', id })}>{externalUserId ?? id}</a>
            <When at={createdAt} nowMs={context.nowMs} />
          </li>
        ))}
      </ul>
    </Panel>
  );
}

function Health({ context }: { context: AppContext }): JSX.Element {
  const { provider, tenant } = context;
  const { client, live } = provider;
  const { id } = tenant;
  const health = combine({
    pairs: usePairs(context),
    endpoints: useList(live, endpoints(id)),
    legacy: useQuery(live, id, legacyWebhook(client, id)),
    faults: useOwnFaults(context),
    nextOutcomes: useQuery(live, id, nextOutcomes(client, id)),
  });
  return (
    <Panel title="Health" testId="health">
      <Loaded live={health}>
        {({ legacy, ...rest }) => (
          <ul class="lines">
            {toHealthLines({ tenant, ...legacy, ...rest }).map(({ id, tone, badge, text, to }) => (
              <li key={id}>
                <Chip tone={tone}>{badge}</Chip>
                <a href={context.href(to)}>{text}</a>
              </li>
            ))}
          </ul>
        )}
      </Loaded>
    </Panel>
  );
}
