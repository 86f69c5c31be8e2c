import { useSignal } from '@preact/signals';
import type { EventResource, RequestResource } from 'ofage-mock';
import type { JSX } from 'preact';
import { DELIVERY_WORDS, LABELS, NONE } from '../../../mock-server/words/states.ts';
import {
  formatDate,
  formatPreciseTime,
  formatPreciseTimeOfDay,
} from '../../../mock-server/words/times.ts';
import { describeReason } from '../../shared/console/describe-reason.ts';
import { Copy, Facts, Json } from '../../shared/console/parts.tsx';
import { toRoughDuration } from '../../shared/duration.ts';
import { Button } from '../../shared/kit/button.tsx';
import { Chip } from '../../shared/kit/chip.tsx';
import { toShortId } from '../../shared/short-id.ts';
import type { Context } from '../context.ts';
import { type Entry, KIND_NAMES } from './entry.ts';
import { type AttemptDetail, explainRefusal } from './to-entries.ts';

export type EventOf = (eventId: string) => EventResource | undefined;

export interface ListProps {
  /** The entries, oldest first. */
  entries: readonly Entry[];
  eventOf: EventOf;
  href: Context['href'];
  /** The entry before the first one, from which its distance is shown. */
  previous?: Entry | undefined;
  /** The entry on display above the first row, whose day is not repeated. */
  above?: Entry | undefined;
  isNewestFirst?: boolean;
  /** The session that the list is limited to. Without it, the rows have no button for that. */
  only?: { readonly sessionId: string | null; choose(sessionId: string): void };
}

/** Shows entries of the timeline, each in one line with its details on request. */
export function EntryList(props: ListProps): JSX.Element {
  return <ol class="entries">{toRows(props)}</ol>;
}

/** Returns the rows in the order of display. */
export function toRows(props: ListProps): JSX.Element[] {
  const { entries, eventOf, href, previous, isNewestFirst = false, only } = props;
  const rows = entries.map((entry, at) => {
    const before = entries[at - 1] ?? previous;
    const sinceMs = before ? Math.max(0, entry.atMs - before.atMs) : null;
    const above = entries[isNewestFirst ? at + 1 : at - 1] ?? props.above;
    const day = formatDate(entry.atMs);
    const isNewDay = above === undefined || formatDate(above.atMs) !== day;
    return (
      <EntryRow
        key={entry.id}
        entry={entry}
        day={isNewDay ? day : null}
        sinceMs={sinceMs}
        eventOf={eventOf}
        href={href}
        only={only}
      />
    );
  });
  return isNewestFirst ? rows.toReversed() : rows;
}

/**
 * Shows one line of the timeline.
 * @param props.day The day, or null if it is that of the row above
 * @param props.sinceMs The time since the previous entry, or null for the first one
 */
function EntryRow(props: {
  entry: Entry;
  day: string | null;
  sinceMs: number | null;
  eventOf: EventOf;
  href: ListProps['href'];
  only: ListProps['only'];
}): JSX.Element {
  const { entry, day, sinceMs, eventOf, href, only } = props;
  const isOpen = useSignal(false);
  const { id, kind, title, tone, sessionId, realMs } = entry;
  return (
    <li class="entry" data-testid="entry" data-kind={kind} data-session={sessionId}>
      <details data-id={id} onToggle={({ currentTarget }) => (isOpen.value = currentTarget.open)}>
        <summary class="entry__line">
          <span class="entry__kind">{KIND_NAMES[kind]}</span>
          <span class="entry__title">
            {tone === 'good' || tone === 'bad' || tone === 'warn' ? (
              <Chip tone={tone}>{TONE_SIGNS[tone]}</Chip>
            ) : null}
            <Title text={title} />
          </span>
          <Times entry={entry} day={day} sinceMs={sinceMs} />
        </summary>
        {isOpen.value && (
          <div class="entry__detail">
            <EntryDetail entry={entry} eventOf={eventOf} href={href} />
            {sessionId !== null && (
              <p class="muted">
                Session <code>{sessionId}</code>
              </p>
            )}
            {realMs !== null && (
              <p class="muted">{formatPreciseTime(realMs)} on this computer’s clock</p>
            )}
          </div>
        )}
      </details>
      {sessionId !== null && only?.sessionId === null && (
        <SessionChip sessionId={sessionId} only={only} />
      )}
    </li>
  );
}

/**
 * Shows a title whose status code or result is never cut off. Where a row is too narrow, it cuts the path of
 * a request, or the address of a delivery.
 */
function Title({ text }: { text: string }): JSX.Element {
  const [, what = text, result = '', place] = /^(.*?)( → .*?)?( · .*)?$/.exec(text) ?? [];
  return (
    <>
      <span class={place === undefined ? 'entry__part' : undefined}>{what}</span>
      <span>{result}</span>
      <span class="entry__part">{place}</span>
    </>
  );
}

/** Signs that repeat the tone for users who cannot distinguish the colours. */
const TONE_SIGNS = { good: '✓', bad: '✕', warn: '!' } as const;

/** Shows the start of the session's id on a button that filters by this session. */
function SessionChip(props: {
  sessionId: string;
  only: NonNullable<ListProps['only']>;
}): JSX.Element {
  const { sessionId, only } = props;
  const id = toShortId(sessionId);
  return (
    // The button is beside the summary, because a summary must not contain interactive elements.
    <Button
      variant="bare"
      class="entry__session"
      aria-label={`Only session ${id}`}
      title="Show only this session"
      onPress={({ currentTarget }) => {
        // The button disappears, and its row stays.
        currentTarget.closest('li')?.querySelector('summary')?.focus();
        only.choose(sessionId);
      }}
      testId="only-session"
    >
      {id}
    </Button>
  );
}

function Times(props: { entry: Entry; day: string | null; sinceMs: number | null }): JSX.Element {
  const { entry, day, sinceMs } = props;
  const iso = new Date(entry.atMs).toISOString();
  return (
    <span class="entry__times">
      <time dateTime={iso} title={`${formatPreciseTime(entry.atMs)} by the service's clock`}>
        {day !== null && `${day} `}
        {formatPreciseTimeOfDay(entry.atMs)}
      </time>
      <span data-testid="since-previous">{sinceMs !== null && `+${toRoughDuration(sinceMs)}`}</span>
    </span>
  );
}

/** Shows the details of an entry. */
function EntryDetail(props: Pick<ListProps, 'eventOf' | 'href'> & { entry: Entry }): JSX.Element {
  const { entry, eventOf, href } = props;
  switch (entry.kind) {
    case 'request':
      return <RequestDetail request={entry.detail as RequestResource} />;
    case 'event':
      return <EventDetail event={entry.detail as EventResource} />;
    case 'delivery': {
      const detail = entry.detail as AttemptDetail;
      if (!('attempt' in detail)) return <Json value={detail} label="Delivery" />;
      return <Attempt detail={detail} event={eventOf(detail.delivery.eventId)} href={href} />;
    }
    default:
      return <Json value={entry.detail} label={entry.title} />;
  }
}

function RequestDetail({ request }: { request: RequestResource }): JSX.Element {
  const { requestHeaders, requestBody, responseHeaders, responseBody, durationMs } = request;
  const { credential, origin, operation, fault, realAt } = request;
  return (
    <>
      <Facts
        facts={[
          ['Operation', operation ?? NONE],
          ['Credential', credential ?? NONE],
          ['Origin', origin ?? 'none: the request has no Origin header'],
          ['Took', `${durationMs} ms`],
          ['Received', `${formatPreciseTime(realAt)} on this computer’s clock`],
          fault !== null && ['Injected fault', fault],
        ]}
      />
      <div class="grid-2">
        <section>
          <h3>Request</h3>
          <Headers headers={requestHeaders} testId="request-headers" />
          <Body
            text={requestBody ?? 'Not read: incomplete, or larger than the limit of the service'}
            label="Request body"
          />
        </section>
        <section>
          <h3>Response, {request.status}</h3>
          <Headers headers={responseHeaders} testId="response-headers" />
          <Body text={responseBody} label="Response body" />
        </section>
      </div>
    </>
  );
}

function EventDetail({ event }: { event: EventResource }): JSX.Element {
  const { id, body, createdAt } = event;
  return (
    <>
      <Facts
        facts={[
          ['Event ID', id],
          [LABELS.created, formatPreciseTime(createdAt)],
        ]}
      />
      {body === null ? (
        <p class="muted">
          The payload is created at the first attempt, because it contains the time of sending.
        </p>
      ) : (
        <Body text={body} label="Payload, formatted" />
      )}
    </>
  );
}

function Attempt(props: {
  detail: AttemptDetail;
  event: EventResource | undefined;
  href: ListProps['href'];
}): JSX.Element {
  const { attempt, delivery } = props.detail;
  const { signature, bodySha256, startedAt, finishedAt, durationMs } = attempt;
  const { outcome, httpStatus, error, fault, retryAfterMs, hops } = attempt;
  const body = props.event?.body ?? null;
  const refusal = explainRefusal(attempt);
  return (
    <>
      {refusal !== null && (
        <p class="note tone--bad">
          {refusal}{' '}
          {delivery.endpointId !== null && (
            <a href={props.href({ page: 'webhooks', id: delivery.endpointId })}>Open endpoint</a>
          )}
        </p>
      )}
      <Facts
        facts={[
          ['URL', delivery.url],
          ['Started', formatPreciseTime(startedAt)],
          ['Finished', finishedAt === null ? 'in progress' : formatPreciseTime(finishedAt)],
          [
            'Outcome',
            [outcome ?? 'none yet', httpStatus, error].filter((one) => one !== null).join(', '),
          ],
          fault !== null && ['Injected fault', fault],
          ['Took', durationMs === null ? 'unknown' : `${durationMs} ms`],
          retryAfterMs !== null && ['Retry after', `${retryAfterMs} ms`],
          hops > 0 && ['Redirects', hops],
          [
            'Delivery',
            [DELIVERY_WORDS[delivery.status], delivery.reason && describeReason(delivery.reason)]
              .filter((one) => one !== null)
              .join(', '),
          ],
          delivery.nextAttemptAt !== null && [
            'Next attempt',
            `${formatPreciseTime(delivery.nextAttemptAt)} at the earliest`,
          ],
        ]}
      />
      <h3>As sent</h3>
      <Facts
        class="facts mono"
        facts={[
          ['content-type', 'application/json'],
          [
            'x-ofage-signature',
            <>
              <span data-testid="delivery-signature">
                {signature ?? describeMissingSignature(outcome)}
              </span>
              {signature !== null && <Copy text={signature} what="signature" />}
            </>,
          ],
          bodySha256 !== null && [
            'SHA-256 of the body',
            <span data-testid="delivery-sha256">{bodySha256}</span>,
          ],
        ]}
      />
      {body === null ? (
        <p class="muted">The payload is not available.</p>
      ) : (
        <>
          <div class="row">
            <span class="field__label">
              Body, byte for byte ({new TextEncoder().encode(body).length} bytes)
            </span>
            <Copy text={body} what="body" />
          </div>
          <pre
            class="json"
            role="region"
            tabIndex={0}
            aria-label="Body, byte for byte"
            data-testid="delivery-body"
          >
            {body}
          </pre>
        </>
      )}
    </>
  );
}

function Headers(props: {
  headers: Readonly<Record<string, string>>;
  testId: string;
}): JSX.Element {
  const entries = Object.entries(props.headers);
  if (entries.length === 0) return <p class="muted">No headers.</p>;
  return (
    <div data-testid={props.testId}>
      <Facts class="facts mono" facts={entries} />
    </div>
  );
}

/** Shows a body. JSON is formatted, and any other text is shown unchanged. */
function Body({ text, label }: { text: string; label: string }): JSX.Element {
  if (text === '') return <p class="muted">No body.</p>;
  return <Json value={toLaidOut(text)} label={label} />;
}

function toLaidOut(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function describeMissingSignature(outcome: AttemptDetail['attempt']['outcome']): string {
  if (outcome === null) return 'in progress';
  return outcome === 'lost' ? 'not known' : 'none: the endpoint has no secret';
}
