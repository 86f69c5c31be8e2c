import { useSignal } from '@preact/signals';
import type { JSX, RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { Table } from '../../shared/kit/table.tsx';
import { type Bar, type Bucket, drawBars, type Span, toBucketName } from '../outcome-chart.ts';
import { STATUSES } from '../outcomes.ts';

const HEIGHT = 200;
/** The margins around the bars, for the numbers of the scale and the names of the buckets. */
const LEFT = 34;
const RIGHT = 16;
const ABOVE = 8;
const BELOW = 24;
/** The width that a bucket's name needs. */
const NAME_WIDTH = 64;

interface ChartProps {
  buckets: readonly Bucket[];
  span: Span;
}

/** Shows stacked bars, and a table of the same numbers. */
export function OutcomeChart({ buckets, span }: ChartProps): JSX.Element {
  const frame = useRef<HTMLElement>(null);
  const width = useWidth(frame);
  const fieldWidth = width - LEFT - RIGHT;
  const { bars, ticks } = drawBars(buckets, fieldWidth, HEIGHT);
  const total = buckets.reduce((sum, bucket) => sum + bucket.total, 0);
  const label =
    `Sessions by the ${span === 'hours' ? 'hour' : 'day'} in which they began, ` +
    `by outcome: ${total} in all. The table below has the numbers.`;
  return (
    <figure class="chart" ref={frame}>
      <svg
        class="chart__field"
        viewBox={`0 0 ${width} ${ABOVE + HEIGHT + BELOW}`}
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
          <Bars bars={bars} span={span} every={(NAME_WIDTH * buckets.length) / fieldWidth} />
        </g>
      </svg>
      <ChartTable buckets={buckets} span={span} />
    </figure>
  );
}

/**
 * Returns the width of the frame. The chart is drawn at the size at which it is shown, so that its text is
 * not scaled.
 */
function useWidth(frame: RefObject<HTMLElement | null>): number {
  const width = useSignal(720);
  useEffect(() => {
    if (!frame.current) return;
    const observer = new ResizeObserver(([entry]) => {
      if (entry) width.value = Math.max(240, Math.round(entry.contentRect.width));
    });
    observer.observe(frame.current);
    return () => observer.disconnect();
  }, []);
  return width.value;
}

/** Draws the bars. There is room to name one bar in `every`. */
function Bars(props: { bars: readonly Bar[]; span: Span; every: number }): JSX.Element {
  const { bars, span, every } = props;
  // Count from the last bar, so that the current hour or day is always named.
  const isNamed = (index: number): boolean => (bars.length - 1 - index) % Math.ceil(every) === 0;
  return (
    <>
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
          {isNamed(index) && (
            <text class="chart__text" x={x + width / 2} y={HEIGHT + 20} text-anchor="middle">
              {toBucketName(bucket.startMs, span)}
            </text>
          )}
        </g>
      ))}
    </>
  );
}

function ChartTable({ buckets, span }: ChartProps): JSX.Element {
  return (
    <details class="more">
      <summary>As a table</summary>
      <Table
        label="Outcomes over time"
        testId="chart-table"
        head={[span === 'hours' ? 'Hour (UTC)' : 'Day (UTC)', ...STATUSES, 'all']}
      >
        {buckets.map(({ startMs, counts, total }) => (
          <tr key={startMs}>
            <th scope="row">{toBucketName(startMs, span)}</th>
            {STATUSES.map((status) => (
              <td key={status}>{counts[status]}</td>
            ))}
            <td>{total}</td>
          </tr>
        ))}
      </Table>
    </details>
  );
}
