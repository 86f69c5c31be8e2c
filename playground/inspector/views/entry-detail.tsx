import type { EventResource, RequestResource } from 'ofage/mock';
import type { JSX } from 'preact';
import { Copy, Json } from '../../shared/console/parts.tsx';
import type { PlacedEntry } from '../order-entries.ts';
import type { Inspector } from '../inspector.ts';
import type { AttemptDetail } from '../to-entries.ts';

/**
 * Shows the details of an entry. Test ids: request-headers, response-headers, delivery-body,
 * delivery-signature, delivery-sha256.
 */
export function EntryDetail(props: { entry: PlacedEntry; inspector: Inspector }): JSX.Element {
  const { entry, inspector } = props;
  switch (entry.kind) {
    case 'request':
      return <RequestDetail request={entry.detail as RequestResource} />;
    case 'event':
      return <EventDetail event={entry.detail as EventResource} />;
    case 'delivery': {
      const detail = entry.detail as AttemptDetail;
      if (!('attempt' in detail)) return <Json value={detail} label="Delivery" />;
      return <Attempt detail={detail} event={inspector.eventOf(detail.delivery.eventId)} />;
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
        facts={{
          operation: operation ?? 'none',
          credential: credential ?? 'none',
          origin: origin ?? 'none: the request has no Origin header',
          took: `${durationMs} ms`,
          received: `${realAt} on this computer's clock`,
          ...(fault === null ? {} : { 'injected fault': fault }),
        }}
      />
      <div class="grid-2">
        <section>
          <h3>Request</h3>
          <Headers headers={requestHeaders} label="Request headers" testId="request-headers" />
          <Body
            text={requestBody ?? 'Not read: larger than the limit of the service'}
            label="Request body"
          />
        </section>
        <section>
          <h3>Response, {request.status}</h3>
          <Headers headers={responseHeaders} label="Response headers" testId="response-headers" />
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
      <Facts facts={{ 'event id': id, 'created at': createdAt }} />
      {body === null ? (
        <p class="muted">
          The payload is created at the first attempt, because it contains the time of sending.
        </p>
      ) : (
        <Body text={body} label="Payload as sent" />
      )}
    </>
  );
}

function Attempt(props: { detail: AttemptDetail; event: EventResource | undefined }): JSX.Element {
  const { attempt, delivery } = props.detail;
  const { signature, bodySha256, startedAt, finishedAt, outcome } = attempt;
  const body = props.event?.body ?? null;
  return (
    <>
      <Facts
        facts={{
          to: delivery.url,
          started: startedAt,
          finished: finishedAt ?? 'in progress',
          outcome: `${outcome ?? 'none yet'}${attempt.httpStatus === null ? '' : `, ${attempt.httpStatus}`}${attempt.error === null ? '' : `, ${attempt.error}`}`,
          ...(attempt.fault === null ? {} : { 'injected fault': attempt.fault }),
          took: attempt.durationMs === null ? 'unknown' : `${attempt.durationMs} ms`,
          ...(attempt.retryAfterMs === null ? {} : { 'retry after': `${attempt.retryAfterMs} ms` }),
          ...(attempt.hops === 0 ? {} : { redirects: String(attempt.hops) }),
          delivery: `${delivery.status}${delivery.reason === null ? '' : `, ${delivery.reason}`}`,
          ...(delivery.nextAttemptAt === null ? {} : { 'next attempt': delivery.nextAttemptAt }),
        }}
      />
      <h3>As sent</h3>
      <dl class="facts mono">
        <Fact name="content-type">application/json</Fact>
        <Fact name="x-ofage-signature">
          <span data-testid="delivery-signature">
            {signature ?? (outcome === null ? 'in progress' : 'none: the endpoint has no secret')}
          </span>
          {signature !== null && <Copy text={signature} what="signature" />}
        </Fact>
        {bodySha256 !== null && (
          <Fact name="SHA-256 of the body">
            <span data-testid="delivery-sha256">{bodySha256}</span>
          </Fact>
        )}
      </dl>
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

function Facts({ facts }: { facts: Readonly<Record<string, string>> }): JSX.Element {
  return (
    <dl class="facts">
      {Object.entries(facts).map(([name, value]) => (
        <Fact key={name} name={name}>
          {value}
        </Fact>
      ))}
    </dl>
  );
}

function Fact(props: { name: string; children: JSX.Element | string | (JSX.Element | false)[] }) {
  return (
    <div>
      <dt>{props.name}</dt>
      <dd>{props.children}</dd>
    </div>
  );
}

function Headers(props: {
  headers: Readonly<Record<string, string>>;
  label: string;
  testId: string;
}): JSX.Element {
  const { headers, label, testId } = props;
  const entries = Object.entries(headers);
  if (entries.length === 0) return <p class="muted">No headers.</p>;
  return (
    <dl class="facts mono" aria-label={label} data-testid={testId}>
      {entries.map(([name, value]) => (
        <Fact key={name} name={name}>
          {value}
        </Fact>
      ))}
    </dl>
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
