import type { SessionResource, SessionStatistics } from 'ofage-mock';
import type { JSX } from 'preact';
import { SESSION_STATUSES } from '../../mock-server/words/states.ts';
import { type Column, Table } from '../shared/kit/table.tsx';
import { formatNumber } from '../../mock-server/words/counts.ts';
import { type Span, toScale, toStepName } from './outcome-chart.ts';

type Step = SessionStatistics['steps'][number];

interface ChartProps {
  steps: readonly Step[];
  span: Span;
  /** Returns the link to the sessions of a step, or to those with one status. */
  href: (step: Step, status?: SessionResource['status']) => string;
}

/**
 * Shows stacked bars, and a table of the same numbers. Each part of a bar links to its sessions. Assistive
 * technologies and keyboards use the links of the table, because the parts would be too many tab stops.
 */
export function OutcomeChart(props: ChartProps): JSX.Element {
  const { steps, span } = props;
  const scale = toScale(Math.max(0, ...steps.map(({ total }) => total)));
  const total = steps.reduce((sum, step) => sum + step.total, 0);
  const toHeight = (count: number): string => `${(count / (scale.at(-1) ?? 1)) * 100}%`;
  const label =
    `Sessions by the ${span === 'days' ? 'day' : 'time'} at which they were created, ` +
    `in UTC, by outcome: ${formatNumber(total)} in all. The table below has the numbers.`;
  return (
    <figure class="chart" aria-label={label}>
      <div class="chart__field" data-span={span} aria-hidden="true">
        {scale.map((value) => (
          <span key={value} class="chart__line" style={{ bottom: toHeight(value) }}>
            <span class="chart__name">{formatNumber(value)}</span>
          </span>
        ))}
        {steps.map((step) => (
          <div key={step.from} class="chart__slot">
            <div class="chart__bar" style={{ height: toHeight(step.total) }}>
              <Parts {...props} step={step} />
            </div>
            <span class="chart__name">{toStepName(Date.parse(step.from), span)}</span>
          </div>
        ))}
      </div>
      <figcaption class="muted">Times are UTC.</figcaption>
      <ChartTable {...props} />
    </figure>
  );
}

/** The parts of a bar, one for each status that occurs. */
function Parts({ step, span, href }: ChartProps & { step: Step }): JSX.Element[] {
  const { from, counts, total } = step;
  return SESSION_STATUSES.filter((status) => counts[status] > 0).map((status) => (
    <a
      key={status}
      class="swatch"
      data-status={status}
      href={href(step, status)}
      tabIndex={-1}
      title={`${toStepName(Date.parse(from), span)}: ${formatNumber(counts[status])} ${status}, ${formatNumber(total)} in all`}
      style={{ flexGrow: counts[status], '--status': `var(--${status})` }}
    />
  ));
}

function ChartTable({ steps, span, href }: ChartProps): JSX.Element {
  const columns: Column<Step>[] = [
    {
      title: span === 'days' ? 'Day (UTC)' : 'From (UTC)',
      kind: 'name',
      cell: (step) => {
        const name = toStepName(Date.parse(step.from), span);
        return step.total === 0 ? name : <a href={href(step)}>{name}</a>;
      },
    },
    ...SESSION_STATUSES.map((status): Column<Step> => ({
      title: status,
      kind: 'number',
      cell: ({ counts }) => formatNumber(counts[status]),
    })),
    { title: 'all', kind: 'number', cell: ({ total }) => formatNumber(total) },
  ];
  return (
    <details class="more">
      <summary>As a table</summary>
      <Table
        label="Outcomes over time"
        testId="chart-table"
        columns={columns}
        rows={steps}
        toAttributes={({ from }) => ({ key: from })}
      />
    </details>
  );
}
