import type { JSX } from 'preact';
import { formatPreciseTimeOfDay } from '../../../mock-server/words/times.ts';
import { Copy } from '../../shared/console/parts.tsx';
import type { Context } from '../context.ts';
import { LANES, type Lane, type Message } from './messages.ts';
import { toMermaid } from './mermaid.ts';

const NAMES = Object.entries(LANES);
const ORDER = Object.keys(LANES) as readonly Lane[];

/**
 * Shows the messages as a list. Where there is space, each item is also an arrow between two columns, and
 * the names of the columns replace those in the items. Test ids: drawing, message.
 */
export function Drawing(props: {
  messages: readonly Message[];
  href: Context['href'];
}): JSX.Element {
  const { messages, href } = props;
  return (
    <div class="drawing" data-testid="drawing">
      <div class="drawing__lanes" aria-hidden="true">
        {NAMES.map(([lane, name]) => (
          <span key={lane}>{name}</span>
        ))}
      </div>
      <ol class="drawing__list" aria-label="Messages of this check">
        {messages.map((message) => (
          <Arrow key={message.id} message={message} href={href} />
        ))}
      </ol>
      <p class="drawing__foot">
        <span class="muted">Times in UTC. What has not happened is dashed or in italics.</span>{' '}
        <Copy text={toMermaid(messages)} what="drawing as Mermaid" />
      </p>
    </div>
  );
}

function Arrow(props: { message: Message; href: Context['href'] }): JSX.Element {
  const { message, href } = props;
  const { atMs, from, to, text, tone, isMissing, endpointId } = message;
  const start = ORDER.indexOf(from);
  const end = ORDER.indexOf(to);
  return (
    <li
      class="arrow"
      data-testid="message"
      data-tone={tone}
      data-missing={isMissing}
      data-direction={toDirection(start, end)}
      style={{ '--first': Math.min(start, end), '--span': Math.abs(end - start) }}
    >
      {atMs !== null && (
        <time class="arrow__time" dateTime={new Date(atMs).toISOString()}>
          {formatPreciseTimeOfDay(atMs)}
        </time>
      )}
      <span class="arrow__line">
        <span class="arrow__lanes">
          {LANES[from]}
          {from !== to && ` → ${LANES[to]}`}
          {': '}
        </span>
        {isMissing && <span class="visually-hidden">Missing: </span>}
        {text}
        {endpointId !== null && (
          <>
            {' '}
            <a href={href({ page: 'webhooks', id: endpointId })}>Open endpoint</a>
          </>
        )}
      </span>
    </li>
  );
}

function toDirection(start: number, end: number): 'right' | 'left' | 'self' {
  if (start === end) return 'self';
  return start < end ? 'right' : 'left';
}
