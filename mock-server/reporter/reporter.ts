import { quietly } from './during-call.ts';
import type { ReportResource } from '../api/reports.ts';

type ReportFacts = ReportResource['facts'];

/** A report that has not been sent yet. Facts may be added until then. */
export interface PendingReport {
  readonly seq: number;
  readonly kind: ReportResource['kind'];
  readonly facts: { -readonly [Name in keyof ReportFacts]: ReportFacts[Name] | undefined };
  attemptId: string | undefined;
  sessionId: string | undefined;
  readonly atMs: number;
}

/** The attempt and the session of a report. */
export interface About {
  readonly attemptId?: string | undefined;
  readonly sessionId?: string | undefined;
}

/** Collects the reports of a page and sends them. It never throws, and nothing waits for it. */
export interface Reporter {
  add(kind: PendingReport['kind'], facts: PendingReport['facts'], about?: About): PendingReport;
  /** Names the page's publishable key. Without a key and without a session, nothing is sent. */
  useKey(key: string): void;
  /** Names a session, for a page without a key. */
  useSession(sessionId: string): void;
  /** Moves the reports that have not been sent yet to another attempt. */
  moveAttempt(fromId: string, toId: string): void;
  /** Sends everything now, in a way that outlives the page. */
  leave(): void;
}

interface ReporterOptions {
  /** The address to which the reports are sent. */
  readonly url: string;
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
  /** Sends a request that outlives the page. @default the browser's beacon */
  readonly beacon?: ((url: string, body: string) => void) | undefined;
}

interface Batch {
  readonly body: string;
  readonly reports: readonly PendingReport[];
}

/**
 * The time in which facts of a report can still be added, such as the effect of a message. Sent earlier, the
 * reports of a click would compete with the request that creates the session.
 */
const DELAY_MS = 200;

/** Minimum time between two requests, so that reports travel together. */
const INTERVAL_MS = 200;

/** Maximum number of reports in a request. A beacon may have 64 KiB. */
const MAX_IN_BATCH = 40;

/** Maximum number of reports that wait, for example while the page has no network. */
const MAX_WAITING = 200;

export function createReporter({ url, fetch, beacon = findBeacon() }: ReporterOptions): Reporter {
  // A test may replace the timers later on.
  const later = setTimeout;
  const pageId = newId();
  let waiting: PendingReport[] = [];
  let credential: { readonly key: string } | { readonly sessionId: string } | null = null;
  let seq = 0;
  let nextAtMs = 0;
  let isPlanned = false;
  let isStopped = window.origin === 'null';
  /** Set when a request has failed without a network. A mock on this computer needs none. */
  let isOffline = false;
  let isPolicyKnown = false;

  // The browser has already told the developer about a refusal of the page's policy.
  document.addEventListener('securitypolicyviolation', ({ blockedURI }) => {
    // The violation may have no address, such as that of an inline script.
    if (blockedURI === '') return;
    if (url.startsWith(blockedURI) || blockedURI.startsWith(url)) isStopped = true;
  });
  window.addEventListener('online', () => {
    isOffline = false;
    plan();
  });

  function plan(): void {
    if (isPlanned || isStopped || isOffline || credential === null || waiting.length === 0) return;
    isPlanned = true;
    later(
      () => {
        isPlanned = false;
        // A test may have removed its page meanwhile.
        quietly(send);
      },
      Math.max(DELAY_MS, nextAtMs - nowMs()),
    );
  }

  function send(): void {
    if (isStopped) return;
    const batch = takeBatch();
    if (batch === null) return;
    nextAtMs = nowMs() + INTERVAL_MS;
    // If the page's policy refuses a request, Chromium writes one line about a beacon and two about `fetch`.
    if (!isPolicyKnown && beacon && navigator.onLine !== false) {
      isPolicyKnown = true;
      beacon(url, batch.body);
      plan();
      return;
    }
    // `keepalive` lets the request outlive the page.
    const init: RequestInit = {
      method: 'POST',
      body: batch.body,
      keepalive: true,
      credentials: 'omit',
      referrerPolicy: 'no-referrer',
    };
    fetch(url, init).then(
      (response) => {
        if (!response.ok) void refuse(response);
      },
      () => {
        if (navigator.onLine === false) {
          isOffline = true;
          waiting = [...batch.reports, ...waiting].slice(0, MAX_WAITING);
        } else isStopped = true;
      },
    );
    plan();
  }

  async function refuse(response: Response): Promise<void> {
    // Too many reports are no reason to send none later.
    if (response.status === 429) return;
    isStopped = true;
    const text = await response.text().catch(() => '');
    // oxlint-disable-next-line no-console -- the line is for the developer of the page
    console.debug(
      `OfAge mock: this page reports nothing to the timeline: ${response.status} ${text}`,
    );
  }

  function takeBatch(): Batch | null {
    const taken = waiting.slice(0, MAX_IN_BATCH);
    if (taken.length === 0 || credential === null) return null;
    waiting = waiting.slice(MAX_IN_BATCH);
    const body = JSON.stringify({
      ...credential,
      pageId,
      pageUrl: location.origin + location.pathname,
      sentAtMs: Date.now(),
      reports: taken.map(({ atMs, ...report }) => ({
        ...report,
        ageMs: Math.max(0, Math.round(nowMs() - atMs)),
      })),
    });
    return { body, reports: taken };
  }

  return {
    add(kind, facts, about = {}) {
      seq += 1;
      const { attemptId, sessionId } = about;
      const report = { seq, kind, facts, attemptId, sessionId, atMs: nowMs() };
      if (waiting.length < MAX_WAITING) waiting.push(report);
      plan();
      return report;
    },
    useKey(key) {
      credential = { key };
      plan();
    },
    useSession(sessionId) {
      credential ??= { sessionId };
      plan();
    },
    moveAttempt(fromId, toId) {
      for (const report of waiting) if (report.attemptId === fromId) report.attemptId = toId;
    },
    leave() {
      if (isStopped || !beacon) return;
      for (let batch = takeBatch(); batch !== null; batch = takeBatch()) beacon(url, batch.body);
    },
  };
}

/** Returns the browser's own beacon. In the page of a test runner, it may reject what no code can handle. */
function findBeacon(): ((url: string, body: string) => void) | undefined {
  const { sendBeacon } = navigator;
  const isNative = typeof sendBeacon === 'function' && String(sendBeacon).includes('[native code]');
  return isNative ? (url, body) => void sendBeacon.call(navigator, url, body) : undefined;
}

/** Returns a random id. `randomUUID` does not exist on an insecure page, and a test may remove `crypto`. */
export function newId(): string {
  const bytes = quietly(() => crypto.getRandomValues(new Uint8Array(16)));
  const numbers = bytes ?? Array.from({ length: 16 }, () => Math.floor(Math.random() * 256));
  return Array.from(numbers, (number) => number.toString(16).padStart(2, '0')).join('');
}

/** Returns the page's steady time, because the computer's clock may be set. */
function nowMs(): number {
  return performance.now();
}
