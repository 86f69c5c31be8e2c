import { randomUUID } from 'node:crypto';
import type { EventKind } from 'ofage/conformance';
import { send, type Answer } from './sending.ts';
import { createDelivery, HEALTHY, toIso } from './state.ts';
import type { Account, Delivery, Hook, Service, Session } from './state.ts';

const SECOND = 1_000;
const HOUR = 3_600 * SECOND;
const DAY = 24 * HOUR;
/** The first delay. All delays are multiples of it. */
const DELAY_STEP = 5 * SECOND;
const LONGEST_DELAY = 600 * SECOND;
const STARTED_ATTEMPTS = 3;
const BATCH = 500;

/** Records an event for each subscribed hook and starts to send it. `details` are added to its data. */
export function emit(service: Service, session: Session, event: EventKind, details = {}): void {
  const { account, pairId, externalUserId } = session;
  const { verificationMode, challengeAge } = session.policy;
  const now = service.clock.now();
  const timestamp = toIso(now);
  const owner = externalUserId === null ? {} : { externalUserId };
  const policy = { verificationMode, challengeAge };
  const data = { sessionId: session.id, ...policy, timestamp, ...owner, ...details };
  // A session.started has no id, and its timestamp is the time at which it is sent.
  const durable = event === 'session.started' ? {} : { timestamp, eventId: randomUUID() };
  const envelope = { event, tenantId: account.id, test: false, data, ...durable };
  for (const hook of hooksOf(service, account)) {
    const isOfPair = hook.pairId === undefined || hook.pairId === pairId;
    if (!hook.enabled || !isOfPair || !hook.events.includes(event)) continue;
    const delivery = createDelivery(hook.url, event, envelope, now);
    if (hook.pauseReason !== null) delivery.state = 'undelivered';
    hook.deliveries.push(delivery);
    startAttempts(service, hook);
  }
}

/** Returns the endpoints of an account, or its legacy webhook if it has none. */
function hooksOf({ endpoints, legacyWebhooks }: Service, account: Account): Hook[] {
  const own = [...endpoints.values()].filter((hook) => hook.account === account);
  const legacy = legacyWebhooks.get(account.id);
  return own.length === 0 && legacy ? [legacy] : own;
}

/** Sends a test event. Resolves with true if the receiver accepted it. */
export async function sendTest(service: Service, hook: Hook): Promise<boolean> {
  const timestamp = toIso(service.clock.now());
  const [event] = hook.events;
  const envelope = { event, timestamp, tenantId: hook.account.id, test: true, data: {} };
  return isSuccess(await send(service, hook, hook.url, JSON.stringify(envelope)));
}

/** Sends a test event and ends the pause if it is accepted. Past events are not sent again. */
export async function resume(service: Service, hook: Hook): Promise<boolean> {
  if (!(await sendTest(service, hook))) return false;
  Object.assign(hook, HEALTHY, { pauseReason: null });
  return true;
}

/**
 * Sends undelivered events of the last seven days again, at most `BATCH`, each to the address that it was
 * created for. Returns their number.
 */
export function redeliver(service: Service, hook: Hook): number {
  const now = service.clock.now();
  if (hook.pauseReason !== null)
    throw new Error('The endpoint is paused. Test and resume it first');
  const batch = hook.deliveries
    .filter((one) => one.state === 'undelivered' && one.createdAtMs > now - 7 * DAY)
    .slice(0, BATCH);
  for (const delivery of batch)
    Object.assign(delivery, { state: 'waiting', attempts: 0, deadlineMs: now + DAY });
  startAttempts(service, hook);
  return batch.length;
}

/** Records the queued events of a hook as not delivered. */
export function abandon(hook: Hook): void {
  for (const delivery of hook.deliveries)
    if (delivery.state === 'waiting') delivery.state = 'undelivered';
}

/** Starts the attempts that may start now. A hook that is failing gets one request at a time. */
function startAttempts(service: Service, hook: Hook): void {
  const { clock } = service;
  const startMs = Math.max(clock.now(), hook.notBeforeMs);
  const listDeliveries = (state: Delivery['state']) =>
    hook.deliveries.filter((one) => one.state === state);
  for (const delivery of listDeliveries('waiting'))
    if (delivery.deadlineMs < startMs) delivery.state = 'undelivered';
  const isFailing = hook.failures > 0;
  if (clock.now() < startMs || (isFailing && listDeliveries('sending').length > 0)) return;
  // An event that is refused again and again does not hold up the others.
  const queue = listDeliveries('waiting').sort((a, b) => a.attempts - b.attempts);
  for (const delivery of isFailing ? queue.slice(0, 1) : queue)
    clock.hold(attempt(service, hook, delivery));
}

async function attempt(service: Service, hook: Hook, delivery: Delivery): Promise<void> {
  const { clock } = service;
  const { url, envelope } = delivery;
  delivery.state = 'sending';
  delivery.attempts += 1;
  delivery.body ??= JSON.stringify({ timestamp: toIso(clock.now()), ...envelope });
  const answer = await send(service, hook, url, delivery.body);
  if (isSuccess(answer)) {
    delivery.state = 'delivered';
    Object.assign(hook, HEALTHY, { lastDeliveredAtMs: clock.now() });
  } else {
    slowDown(hook, answer, clock.now());
    clock.at(hook.notBeforeMs, () => startAttempts(service, hook));
    delivery.state = mayRetry(hook, delivery, answer) ? 'waiting' : 'undelivered';
  }
  startAttempts(service, hook);
}

/** Delays the next attempt after a failure, and pauses a hook that has failed for too long. */
function slowDown(hook: Hook, answer: Answer, now: number): void {
  const backoff = Math.min(DELAY_STEP * 2 ** hook.failures, LONGEST_DELAY);
  const delay = Math.max(backoff, retryAfter(answer, now));
  hook.notBeforeMs = now + Math.ceil(delay / DELAY_STEP) * DELAY_STEP;
  hook.failures += 1;
  hook.failingSinceMs ??= now;
  hook.rejectingSinceMs = isRejection(answer) ? (hook.rejectingSinceMs ?? now) : null;
  if (hook.rejectingSinceMs !== null && now - hook.rejectingSinceMs >= HOUR)
    pause(hook, 'The endpoint has rejected requests for an hour');
  else if (now - hook.failingSinceMs >= DAY) pause(hook, 'The endpoint has failed for 24 hours');
}

function pause(hook: Hook, reason: string): void {
  hook.pauseReason = reason;
  abandon(hook);
}

function mayRetry(hook: Hook, { event, attempts }: Delivery, answer: Answer): boolean {
  if (!hook.enabled || hook.pauseReason !== null) return false;
  if (event === 'session.started') return attempts < STARTED_ATTEMPTS && !isRejection(answer);
  if (event === 'session.timeout') return attempts < hook.account.timeoutAttempts;
  // Completion events are retried until their deadline.
  return true;
}

function retryAfter({ status, retryAfter: text = '' }: Answer, now: number): number {
  if (status !== 429 && status !== 503) return 0;
  const ms = /^\d+$/.test(text) ? Number(text) * SECOND : Date.parse(text) - now;
  return Number.isNaN(ms) ? 0 : Math.min(ms, HOUR);
}

function isSuccess({ status }: Answer): boolean {
  return status >= 200 && status < 300;
}

/** Tells whether the receiver or its address is wrong, so that a retry is not likely to help. */
function isRejection({ status, isBadDestination = false }: Answer): boolean {
  return isBadDestination || (status >= 400 && status < 500 && ![408, 429].includes(status));
}
