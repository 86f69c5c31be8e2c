import { useSignal } from '@preact/signals';
import type { JSX, RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { Table } from '../shared/kit/table.tsx';
import { formatNumber } from '../shared/to-count.ts';
import {
  type Bar,
  type Bucket,
  drawBars,
  type Span,
  toBucketName,
  toScale,
} from './outcome-chart.ts';
import { type Status, type StatusCounts, STATUSES } from './outcomes.ts';

const HEIGHT = 160;
// The width of a digit on the scale, and the margins around the bars, in pixels. The left margin also has
// room for the numbers of the scale. The names of the buckets are below the bars.
const DIGIT_WIDTH = 7;
const LEFT_GAP = 16;
const RIGHT = 16;
const ABOVE = 8;
const BELOW = 24;
/** The width that a bucket's name needs, in pixels. */
const NAME_WIDTH = 64;

/** Shows the share of each status as a part of one bar. The legend below it has the numbers. */
export function ResultBar({ counts }: { counts: StatusCounts }): JSX.Element {
  return (
    <div class="result-bar" aria-hidden="true">
      {STATUSES.filter((status) => counts[status] > 0).map((status) => (
        <span key={status} class={`swatch--${status}`} style={{ flexGrow: counts[status] }} />
      ))}
    </div>
  );
}

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
export function OutcomeChart({ buckets, span, href }: ChartProps): JSX.Element {
  const frame = useRef<HTMLElement>(null);
  const width = useWidth(frame);
  const left = toLeftMargin(buckets);
  const fieldWidth = width - left - RIGHT;
  const { bars, ticks } = drawBars(buckets, fieldWidth, HEIGHT);
  const total = buckets.reduce((sum, bucket) => sum + bucket.total, 0);
  const label =
    `Sessions by the ${span === 'days' ? 'day' : 'time'} at which they began, ` +
    `by outcome: ${formatNumber(total)} in all. The table below has the numbers.`;
  return (
    <figure class="chart" ref={frame} aria-label={label}>
      <svg
        class="chart__field"
        viewBox={`0 0 ${width} ${ABOVE + HEIGHT + BELOW}`}
        aria-hidden="true"
      >
        <g transform={`translate(${left} ${ABOVE})`}>
          {ticks.map(({ y, value }) => (
            <g key={value}>
              <line class="chart__line" x1={0} x2={fieldWidth} y1={y} y2={y} />
              <text class="chart__text" x={-8} y={y + 4} text-anchor="end">
                {formatNumber(value)}
              </text>
            </g>
          ))}
          <Bars
            bars={bars}
            span={span}
            every={(NAME_WIDTH * buckets.length) / fieldWidth}
            href={href}
          />
        </g>
      </svg>
      <ChartTable buckets={buckets} span={span} href={href} />
    </figure>
  );
}

/** Returns the width of the longest number of the scale, with a gap. */
function toLeftMargin(buckets: readonly Bucket[]): number {
  const top = toScale(Math.max(0, ...buckets.map(({ total }) => total))).at(-1) ?? 0;
  return LEFT_GAP + DIGIT_WIDTH * formatNumber(top).length;
}

/**
 * Returns the width of the frame in pixels, at least 240. The chart is drawn at the size at which it is
 * shown, so that its text is not scaled.
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

/** Draws the bars. Names one bar in `every`, rounded up, because there may be no room for all names. */
function Bars(props: {
  bars: readonly Bar[];
  span: Span;
  every: number;
  href: ChartProps['href'];
}): JSX.Element {
  const { bars, span, every, href } = props;
  // Count from the last bar, so that the current hour or day is always named.
  const isNamed = (index: number): boolean => (bars.length - 1 - index) % Math.ceil(every) === 0;
  return (
    <>
      {bars.map(({ bucket, x, width, parts }, index) => (
        <g key={bucket.startMs}>
          {parts.map(({ status, y, height }) => (
            <a key={status} href={href(bucket, status)} tabindex={-1}>
              <rect
                class={`bar bar--${status}`}
                data-status={status}
                x={x}
                y={y}
                width={width}
                height={height}
                rx={2}
              >
                <title>{describePart(bucket, span, status)}</title>
              </rect>
            </a>
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

function describePart({ startMs, counts, total }: Bucket, span: Span, status: Status): string {
  const all = `${formatNumber(total)} in all`;
  return `${toBucketName(startMs, span)}: ${formatNumber(counts[status])} ${status}, ${all}`;
}

function ChartTable({ buckets, span, href }: ChartProps): JSX.Element {
  return (
    <details class="more">
      <summary>As a table</summary>
      <Table
        label="Outcomes over time"
        testId="chart-table"
        head={[span === 'days' ? 'Day (UTC)' : 'From (UTC)', ...STATUSES, 'all']}
      >
        {buckets.map((bucket) => {
          const { startMs, counts, total } = bucket;
          const name = toBucketName(startMs, span);
          return (
            <tr key={startMs}>
              <th scope="row">{total === 0 ? name : <a href={href(bucket)}>{name}</a>}</th>
              {STATUSES.map((status) => (
                <td key={status}>{formatNumber(counts[status])}</td>
              ))}
              <td>{formatNumber(total)}</td>
            </tr>
          );
        })}
      </Table>
    </details>
  );
}
