import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { Table } from '../../shared/kit/table.tsx';
import { type Bucket, drawBars, type Span, toBucketName } from '../outcome-chart.ts';
import { STATUSES } from '../outcomes.ts';

const HEIGHT = 200;
/** Where the scale's numbers and the names of the hours stand. */
const LEFT = 34;
const RIGHT = 16;
const ABOVE = 8;
const BELOW = 24;
/** How much room a name needs. */
const NAME_WIDTH = 64;

/** Stacked bars, with a table for those who would rather read. */
export function OutcomeChart({
  buckets,
  span,
}: {
  buckets: readonly Bucket[];
  span: Span;
}): JSX.Element {
  // Drawn in the size in which it is shown, so that its texts keep theirs.
  const width = useSignal(720);
  const frame = useRef<HTMLElement>(null);
  useEffect(() => {
    if (!frame.current) return;
    const observer = new ResizeObserver(([entry]) => {
      if (entry) width.value = Math.max(240, Math.round(entry.contentRect.width));
    });
    observer.observe(frame.current);
    return () => observer.disconnect();
  }, []);
  const fieldWidth = width.value - LEFT - RIGHT;
  const { bars, ticks } = drawBars(buckets, fieldWidth, HEIGHT);
  const total = buckets.reduce((sum, bucket) => sum + bucket.total, 0);
  const every = Math.ceil((NAME_WIDTH * buckets.length) / fieldWidth);
  const label =
    `Sessions by the ${span === 'hours' ? 'hour' : 'day'} in which they began, ` +
    `by outcome: ${total} in all. The table below has the numbers.`;
  return (
    <figure class="chart" ref={frame}>
      <svg
        class="chart__field"
        viewBox={`0 0 ${width.value} ${ABOVE + HEIGHT + BELOW}`}
        role="img"
        aria-label={label}
      >
        <g transform={`translate(${LEFT} ${ABOVE})`}>
          {ticks.map(({ y, value }) => (
            <g key={value}>
              <line class="chart__line" x1={0} x2={fieldWidth} y1={y} y2={y} />
              <text class="chart__text" x={-8} y={y + 4} text-anchor="end">
                {value}
              </text>
            </g>
          ))}
          {bars.map(({ bucket, x, width, parts }, index) => (
            <g key={bucket.startMs}>
              {parts.map(({ status, y, height }) => (
                <rect
                  key={status}
                  class={`bar bar--${status}`}
                  data-status={status}
                  x={x}
                  y={y}
                  width={width}
                  height={height}
                  rx={2}
                >
                  <title>
                    {toBucketName(bucket.startMs, span)}: {bucket.counts[status]} {status}
                  </title>
                </rect>
              ))}
              {/* Counted from the last one, which is now. */}
              {(bars.length - 1 - index) % every === 0 && (
                <text class="chart__text" x={x + width / 2} y={HEIGHT + 20} text-anchor="middle">
                  {toBucketName(bucket.startMs, span)}
                </text>
              )}
            </g>
          ))}
        </g>
      </svg>
      <details class="more">
        <summary>As a table</summary>
        <Table
          label="Outcomes over time"
          testId="chart-table"
          head={[span === 'hours' ? 'Hour (UTC)' : 'Day (UTC)', ...STATUSES, 'all']}
        >
          {buckets.map(({ startMs, counts, total: all }) => (
            <tr key={startMs}>
              <th scope="row">{toBucketName(startMs, span)}</th>
              {STATUSES.map((status) => (
                <td key={status}>{counts[status]}</td>
              ))}
              <td>{all}</td>
            </tr>
          ))}
        </Table>
      </details>
    </figure>
  );
}
