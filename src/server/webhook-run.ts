import { OfAgeError, reasonFor } from './errors.ts';
import type { WebhookEvent } from './webhook-events.ts';
import type { ResolvedWebhookHandlerOptions } from './webhook-handler-options.ts';
import type { WebhookClaim } from './webhook-store.ts';

/** The status to respond with. `error` is present after a failure, even if `undefined` was thrown. */
export interface Verdict {
  readonly status: number;
  readonly error?: unknown;
  readonly event?: WebhookEvent;
}

/** Runs `onEvent` unless a copy of the event was handled before or is being handled. Never rejects. */
export async function runOnce(
  settings: ResolvedWebhookHandlerOptions,
  event: WebhookEvent,
): Promise<Verdict> {
  const key = toKey(event);
  const token = crypto.randomUUID();
  let claim: WebhookClaim;
  try {
    claim = await settings.store.claim(key, token, settings.leaseMs);
  } catch (error) {
    return { status: 500, error, event };
  }
  switch (claim) {
    case 'new':
      return run(settings, event, key, token);
    case 'done':
      return acknowledgeCopy(settings, event);
    case 'in_progress':
      return { status: 503, error: toInProgress(), event };
    default: {
      const error = new TypeError('claim must resolve to "new", "done" or "in_progress"');
      return { status: 500, error, event };
    }
  }
}

/**
 * Returns the event's key. All events except `session.started` have an id, and a session has at most one
 * `session.started`.
 */
function toKey({ eventId, event, data }: WebhookEvent): string {
  return eventId ?? `${data.sessionId} ${event}`;
}

async function run(
  { store, leaseMs, onEvent }: ResolvedWebhookHandlerOptions,
  event: WebhookEvent,
  key: string,
  token: string,
): Promise<Verdict> {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(), leaseMs);
  try {
    await onEvent(event, { key, signal: controller.signal });
  } catch (error) {
    try {
      await store.release(key, token);
    } catch {
      // The claim expires on its own, and the exception of onEvent is more useful to report.
    }
    return { status: 500, error, event };
  } finally {
    clearTimeout(timer);
  }
  try {
    await store.complete(key);
    return { status: 204 };
  } catch (error) {
    // The event was handled but could not be marked as done. Asking for another copy would only handle it
    // twice.
    return { status: 204, error, event };
  }
}

async function acknowledgeCopy(
  { onDuplicate }: ResolvedWebhookHandlerOptions,
  event: WebhookEvent,
): Promise<Verdict> {
  try {
    await onDuplicate(event);
    return { status: 204 };
  } catch (error) {
    return { status: 204, error, event };
  }
}

function toInProgress(): OfAgeError {
  return new OfAgeError(
    'event_in_progress',
    `Cannot handle the event now: ${reasonFor('event_in_progress')}`,
  );
}
