import type { JSX } from 'preact';
import { Table } from '../shared/kit/table.tsx';
import { formatNumber } from '../shared/to-count.ts';
import { type Bucket, type Span, toBucketName, toScale } from './outcome-chart.ts';
import { type Status, STATUSES } from './outcomes.ts';

interface ChartProps {
  buckets: readonly Bucket[];
  span: Span;
  /** Returns the link to the sessions of a bucket, or to those with one status. */
  href: (bucket: Bucket, status?: Status) => string;
}

/**
 * Shows stacked bars, and a table of the same numbers. Each part of a bar links to its sessions. Assistive
 * technologies and keyboards use the links of the table, because the parts would be too many tab stops.
 */
export function OutcomeChart(props: ChartProps): JSX.Element {
  const { buckets, span } = props;
  const scale = toScale(Math.max(0, ...buckets.map(({ total }) => total)));
  const total = buckets.reduce((sum, bucket) => sum + bucket.total, 0);
  const toHeight = (count: number): string => `${(count / (scale.at(-1) ?? 1)) * 100}%`;
  const label =
    `Sessions by the ${span === 'days' ? 'day' : 'time'} at which they began, ` +
    `by outcome: ${formatNumber(total)} in all. The table below has the numbers.`;
  return (
    <figure class="chart" aria-label={label}>
      <div class="chart__field" data-span={span} aria-hidden="true">
        {scale.map((value) => (
          <span key={value} class="chart__line" style={{ bottom: toHeight(value) }}>
            <span class="chart__name">{formatNumber(value)}</span>
          </span>
        ))}
        {buckets.map((bucket) => (
          <div key={bucket.startMs} class="chart__slot">
            <div class="chart__bar" style={{ height: toHeight(bucket.total) }}>
              <Parts {...props} bucket={bucket} />
            </div>
            <span class="chart__name">{toBucketName(bucket.startMs, span)}</span>
          </div>
        ))}
      </div>
      <ChartTable {...props} />
    </figure>
  );
}

/** The parts of a bar, one for each status that occurs. */
function Parts({ bucket, span, href }: ChartProps & { bucket: Bucket }): JSX.Element[] {
  const { startMs, counts, total } = bucket;
  return STATUSES.filter((status) => counts[status] > 0).map((status) => (
    <a
      key={status}
      class="swatch"
      data-status={status}
      href={href(bucket, status)}
      tabIndex={-1}
      title={`${toBucketName(startMs, span)}: ${formatNumber(counts[status])} ${status}, ${formatNumber(total)} in all`}
      style={{ flexGrow: counts[status], '--status': `var(--${status})` }}
    />
  ));
}

function ChartTable({ buckets, span, href }: ChartProps): JSX.Element {
  return (
    <details class="more">
      <summary>As a table</summary>
      <Table
        label="Outcomes over time"
        testId="chart-table"
        numbersFrom={1}
        head={[span === 'days' ? 'Day (UTC)' : 'From (UTC)', ...STATUSES, 'all']}
      >
        {buckets.map((bucket) => {
          const { startMs, counts, total } = bucket;
          const name = toBucketName(startMs, span);
          return (
            <tr key={startMs}>
              <th scope="row">{total === 0 ? name : <a href={href(bucket)}>{name}</a>}</th>
              {STATUSES.map((status) => (
                <td key={status} class="cell-number">
                  {formatNumber(counts[status])}
                </td>
              ))}
              <td class="cell-number">{formatNumber(total)}</td>
            </tr>
          );
        })}
      </Table>
    </details>
  );
}
