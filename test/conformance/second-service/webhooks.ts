import { randomUUID } from 'node:crypto';
import type { Clock } from './clock.ts';
import type { Account, Delivery, EventKind, Habits, Hook, Session, Tables } from './model.ts';
import { EVENT_KINDS, toIso } from './model.ts';
import { resolveDestination } from './destination.ts';
import { send, sign, type Answer } from './send.ts';

const SECOND = 1_000;
const HOUR = 3_600 * SECOND;
const DAY = 24 * HOUR;
const ATTEMPT_TIMEOUT = 15 * SECOND;
const LONGEST_DELAY = 600 * SECOND;
const MOST_ATTEMPTS = 3;
const BATCH = 500;

/** The pace of all deliveries to one address of an endpoint. */
interface Lane {
  /** Failures since the last 2xx. While it is not 0, one request is sent at a time. */
  failures: number;
  failingSinceMs: number | null;
  rejectingSinceMs: number | null;
  notBeforeMs: number;
  sending: number;
}

interface Settings {
  readonly tables: Tables;
  readonly clock: Clock;
  readonly signatureHeader: string;
  readonly allowLoopback: boolean;
  readonly habits: Habits;
}

export class Webhooks {
  readonly #settings: Settings;
  readonly #lanes = new Map<string, Lane>();

  constructor(settings: Settings) {
    this.#settings = settings;
  }

  /** Checks the configuration of an endpoint. */
  async check(url: string, events: readonly string[]): Promise<void> {
    if (events.length > 20) throw new RangeError('An endpoint has at most 20 events');
    if (!events.every((kind) => EVENT_KINDS.some((known) => known === kind)))
      throw new RangeError('An event kind is unknown');
    await resolveDestination(new URL(url), this.#settings.allowLoopback);
  }

  /** Records an event for each subscribed hook and starts to send it. */
  emit(
    session: Session,
    kind: EventKind,
    data: Record<string, unknown>,
    timestampMs: number | null,
  ): void {
    const { tables, clock } = this.#settings;
    const { account, pairId } = session;
    const now = clock.now();
    const eventId = kind === 'session.started' ? {} : { eventId: randomUUID() };
    const timestamp = timestampMs === null ? null : toIso(timestampMs);
    const envelope = {
      event: kind,
      timestamp,
      tenantId: account.id,
      test: false,
      data,
      ...eventId,
    };
    const hooks = this.#hooksOf(account).filter(
      (hook) => hook.enabled && hook.events.includes(kind) && [null, pairId].includes(hook.pairId),
    );
    for (const hook of hooks) {
      tables.deliveries.push({
        hook,
        account,
        url: hook.url,
        kind,
        createdAtMs: now,
        envelope,
        body: null,
        attempts: 0,
        deadlineMs: now + DAY,
        state: hook.pausedAtMs === null ? 'waiting' : 'undelivered',
      });
    }
    for (const hook of hooks) this.#run(hook, hook.url);
  }

  /** Sends a test event, and resumes the endpoint if it is accepted. Past events are not sent again. */
  async resume(account: Account, hook: Hook): Promise<boolean> {
    const isAccepted = await this.test(account, hook);
    if (!isAccepted) return false;
    hook.pausedAtMs = null;
    hook.pauseReason = null;
    this.#lanes.delete(laneKey(hook, hook.url));
    return true;
  }

  async test(account: Account, hook: Hook): Promise<boolean> {
    const now = toIso(this.#settings.clock.now());
    const [event = 'session.started'] = hook.events;
    const envelope = { event, timestamp: now, tenantId: account.id, test: true, data: {} };
    const answer = await this.#post(hook, hook.url, JSON.stringify(envelope));
    return isSuccess(answer);
  }

  /**
   * Sends up to 500 undelivered events of the last seven days again, each to the address that it was
   * created for.
   */
  redeliver(hook: Hook): number {
    const now = this.#settings.clock.now();
    if (hook.pausedAtMs !== null)
      throw new Error('The endpoint is paused. Test and resume it first');
    const batch = this.#deliveriesOf(hook, 'undelivered')
      .filter(({ createdAtMs }) => createdAtMs > now - 7 * DAY)
      .slice(0, BATCH);
    for (const delivery of batch)
      Object.assign(delivery, { state: 'waiting', attempts: 0, deadlineMs: now + DAY });
    for (const url of new Set(batch.map((delivery) => delivery.url))) this.#run(hook, url);
    return batch.length;
  }

  /** Records the queued events of an endpoint as not delivered. */
  abandon(hook: Hook): void {
    for (const delivery of this.#deliveriesOf(hook, 'waiting')) delivery.state = 'undelivered';
  }

  #hooksOf(account: Account): Hook[] {
    const endpoints = [...this.#settings.tables.endpoints.values()];
    const own = endpoints.filter((row) => row.account === account).map(({ hook }) => hook);
    return own.length === 0 && account.legacyWebhook ? [account.legacyWebhook] : own;
  }

  #deliveriesOf(hook: Hook, state: Delivery['state']): Delivery[] {
    return this.#settings.tables.deliveries.filter(
      (one) => one.hook === hook && one.state === state,
    );
  }

  /** Starts the attempts that may start now. */
  #run(hook: Hook, url: string): void {
    const { clock } = this.#settings;
    const lane = this.#lane(hook, url);
    const now = clock.now();
    const waiting = this.#deliveriesOf(hook, 'waiting').filter((one) => one.url === url);
    for (const late of waiting.filter((one) => one.deadlineMs < now)) late.state = 'undelivered';
    if (now < lane.notBeforeMs) return;
    const room = lane.failures === 0 ? waiting.length : 1 - lane.sending;
    const ready = waiting.filter((one) => one.state === 'waiting');
    ready.sort((a, b) => a.attempts - b.attempts);
    for (const delivery of ready.slice(0, Math.max(room, 0))) {
      clock.hold(this.#attempt(delivery, lane));
    }
  }

  async #attempt(delivery: Delivery, lane: Lane): Promise<void> {
    const { hook, url, envelope } = delivery;
    const { clock } = this.#settings;
    delivery.state = 'sending';
    delivery.attempts += 1;
    delivery.body ??= JSON.stringify({
      ...envelope,
      timestamp: envelope.timestamp ?? toIso(clock.now()),
    });
    lane.sending += 1;
    const answer = await this.#post(hook, url, delivery.body);
    lane.sending -= 1;
    if (isSuccess(answer)) {
      delivery.state = 'delivered';
      hook.lastDeliveredAtMs = clock.now();
      Object.assign(lane, {
        failures: 0,
        failingSinceMs: null,
        rejectingSinceMs: null,
        notBeforeMs: 0,
      });
    } else this.#fail(delivery, lane, answer);
    this.#run(hook, url);
  }

  #fail(delivery: Delivery, lane: Lane, answer: Answer): void {
    const { hook, url, kind } = delivery;
    const now = this.#settings.clock.now();
    const rejected = isRejection(answer);
    lane.failures += 1;
    lane.failingSinceMs ??= now;
    lane.rejectingSinceMs = rejected ? (lane.rejectingSinceMs ?? now) : null;
    lane.notBeforeMs = now + Math.max(delayAfter(kind, lane.failures), retryAfter(answer, now));
    if (kind === 'session.timeout') lane.notBeforeMs = ceilTo(lane.notBeforeMs, 5 * SECOND);
    const exhausted = delivery.attempts >= mostAttempts(delivery);
    const hopeless = rejected && kind === 'session.started';
    const late = lane.notBeforeMs > delivery.deadlineMs;
    const given = exhausted || hopeless || late || !hook.enabled || hook.pausedAtMs !== null;
    delivery.state = given ? 'undelivered' : 'waiting';
    if (lane.rejectingSinceMs !== null && now - lane.rejectingSinceMs >= HOUR)
      this.#pause(hook, 'The endpoint has rejected requests for an hour');
    else if (now - lane.failingSinceMs >= DAY)
      this.#pause(hook, 'The endpoint has failed for 24 hours');
    this.#settings.clock.at(lane.notBeforeMs, () => this.#run(hook, url));
  }

  #pause(hook: Hook, reason: string): void {
    hook.pausedAtMs = this.#settings.clock.now();
    hook.pauseReason = reason;
    this.abandon(hook);
  }

  async #post(hook: Hook, url: string, body: string): Promise<Answer> {
    const { clock, signatureHeader, allowLoopback, habits } = this.#settings;
    const headers = hook.secret === null ? {} : { [signatureHeader]: sign(body, hook.secret) };
    const sent = habits.signsBeforeFormatting ? JSON.stringify(JSON.parse(body), null, 2) : body;
    const limit = new AbortController();
    const removeAlarm = clock.at(clock.now() + ATTEMPT_TIMEOUT, () => limit.abort());
    const answer = await send({ url, body: sent, headers, allowLoopback, signal: limit.signal });
    removeAlarm();
    return answer;
  }

  #lane(hook: Hook, url: string): Lane {
    const key = laneKey(hook, url);
    const fresh = {
      failures: 0,
      failingSinceMs: null,
      rejectingSinceMs: null,
      notBeforeMs: 0,
      sending: 0,
    };
    const lane = this.#lanes.get(key) ?? fresh;
    this.#lanes.set(key, lane);
    return lane;
  }
}

function laneKey({ id }: Hook, url: string): string {
  return `${id} ${url}`;
}

function isSuccess({ status }: Answer): boolean {
  return status >= 200 && status < 300;
}

/** Tells whether the receiver or its address is wrong, so that a retry is not likely to help. */
function isRejection(answer: Answer): boolean {
  if (answer.problem !== undefined) return answer.problem === 'destination';
  return answer.status >= 400 && answer.status < 500 && ![408, 429].includes(answer.status);
}

function mostAttempts({ kind, account }: Delivery): number {
  if (kind === 'session.started') return MOST_ATTEMPTS;
  return kind === 'session.timeout' ? account.timeoutAttempts : Infinity;
}

/**
 * Returns the delay before the lane's next attempt. A session.started is retried within the request that
 * created the session, so its first delays are short.
 */
function delayAfter(kind: EventKind, failures: number): number {
  const first = kind === 'session.started' && failures < MOST_ATTEMPTS ? SECOND : 5 * SECOND;
  return Math.min(first * 2 ** (failures - 1), LONGEST_DELAY);
}

function retryAfter(answer: Answer, now: number): number {
  if (answer.status !== 429 && answer.status !== 503) return 0;
  const { retryAfter: text = '' } = answer;
  const ms = /^\d+$/.test(text) ? Number(text) * SECOND : Date.parse(text) - now;
  return Number.isNaN(ms) ? 0 : Math.min(ms, HOUR);
}

function ceilTo(value: number, step: number): number {
  return Math.ceil(value / step) * step;
}
