export const POPUP_SCENARIOS = [
  'blocked',
  'too_late',
  'coop',
  'opener_lost',
  'closed_early',
  'closed_before_start',
  'closed_after',
  'slow_create',
  'forged',
] as const;

export type PopupScenarioId = (typeof POPUP_SCENARIOS)[number];

/** A scenario in which the window does not behave as expected. */
export interface PopupScenario {
  readonly id: PopupScenarioId;
  readonly title: string;
  /** A description of the scenario and of its real-world occurrences. */
  readonly what: string;
  /** The SDK's expected report. */
  readonly expected: string;
  /** Advice for a shop. */
  readonly advice: string;
  /** True if it needs a server that sends headers. */
  readonly needsHeaders?: true;
}

export const SCENARIOS: readonly PopupScenario[] = [
  {
    id: 'blocked',
    title: 'Blocked by the page around',
    what: 'The shop is in a frame whose sandbox allows no windows: window.open returns nothing.',
    expected: 'rejected at once: popup_blocked',
    advice:
      'Show a link that starts the check in redirect mode. In a frame of your own, add allow-popups to its sandbox.',
  },
  {
    id: 'too_late',
    title: 'Too late after the click',
    what: 'The page does something slow first and calls verify() when the click is long over, here after some five seconds. Keep your hands off meanwhile.',
    expected: 'rejected at once: popup_blocked, reason no_user_gesture',
    advice:
      'Call verify() straight from the click, before the first await. The SDK opens the window first and asks the service second.',
  },
  {
    id: 'coop',
    title: 'Cut off by COOP',
    what: 'The check begins on a page that sends Cross-Origin-Opener-Policy: same-origin. The browser cuts the window off: it reads as closed while it is in front of the shopper.',
    expected: 'waits, and resolves verified when the return page calls',
    advice:
      'Keep handleReturn() on your return page: it speaks over a channel that COOP cannot cut. Send same-origin-allow-popups where you can.',
    needsHeaders: true,
  },
  {
    id: 'opener_lost',
    title: 'Opener lost',
    what: 'The window forgets who opened it, as after noopener or in some in-app browsers. The hosted page has nobody to post its message to.',
    expected: 'resolves verified, by way of the return page',
    advice:
      'Nothing, as long as your return page calls handleReturn(): the hosted page goes there when it has no opener.',
  },
  {
    id: 'closed_early',
    title: 'Closed early',
    what: 'The shopper closes the window in the middle of the check.',
    expected: 'resolves cancelled, reason closed, after one to five seconds',
    advice:
      'Put the button back. The session is cancelled on its own; a new verify() makes a new one.',
  },
  {
    id: 'closed_before_start',
    title: 'Closed before it began',
    what: 'Creating the session takes three seconds, and the shopper closes the blank window meanwhile.',
    expected: 'resolves cancelled, reason closed_before_start',
    advice: 'Put the button back. There is no session to ask about.',
  },
  {
    id: 'closed_after',
    title: 'Closed after it was done',
    what: 'The shopper passes, and the window closes at the very moment in which it says so.',
    expected: 'resolves verified',
    advice:
      'Do not take a closed window for a no. And where even the message is lost, the webhook tells your server.',
  },
  {
    id: 'slow_create',
    title: 'Slow to begin',
    what: 'Creating the session takes four seconds. The window is there at once, and says that it works.',
    expected: 'resolves verified; after fifteen seconds it would reject request_timeout',
    advice: 'Nothing. That is why the window opens before the request is sent.',
  },
  {
    id: 'forged',
    title: 'Message forged from elsewhere',
    what: 'A frame in the page posts the hosted page’s message, verified and with the right session id. Then the check really ends, with a no.',
    expected: 'ignores the forged one, and resolves failed',
    advice:
      'If you listen to messages yourself, compare origin, source and session. And let your server ask validate whatever was said.',
  },
];

/** An event in a run. Entries are in the order of occurrence. */
export interface PopupEntry {
  /** Time since the click. Milliseconds. */
  readonly atMs: number;
  readonly who: 'sdk' | 'window' | 'service' | 'lab';
  readonly text: string;
}

/** The final report of the SDK. */
export interface SdkReport {
  readonly word: string;
  readonly code: string | null;
  readonly reason: string | null;
  readonly atMs: number;
}

/** Converts the result or error of `verify()` to a report. */
export function toReport(kind: 'resolved' | 'rejected', value: unknown, atMs: number): SdkReport {
  const { status, reason, code, details } = Object(value) as Record<string, unknown>;
  const inner = (Object(details) as Record<string, unknown>)['reason'];
  return {
    word: kind === 'resolved' ? String(status) : 'rejected',
    code: textOrNull(code),
    reason: textOrNull(kind === 'resolved' ? reason : inner),
    atMs,
  };
}

/** Formats a report, for example `resolved cancelled, reason closed, after 1.2 s`. */
export function toReportLine({ word, code, reason, atMs }: SdkReport): string {
  const what = word === 'rejected' ? `rejected ${code ?? ''}`.trim() : `resolved ${word}`;
  return `${what}${reason === null ? '' : `, reason ${reason}`}, ${toSeconds(atMs)} after the click`;
}

export function toSeconds(ms: number): string {
  return ms < 1_000 ? `${Math.round(ms)} ms` : `${(ms / 1_000).toFixed(1)} s`;
}

/** The actual state for comparison: the session's status, and whether the window is open. */
export interface Truth {
  readonly sessionStatus: string | null;
  readonly isPageOpen: boolean;
  readonly handleSaysClosed: boolean | null;
}

/** Describes the actual state in words. */
export function toTruthLines({ sessionStatus, isPageOpen, handleSaysClosed }: Truth): string[] {
  return [
    sessionStatus === null
      ? 'There is no session.'
      : `The session is ${sessionStatus} at the service.`,
    handleSaysClosed === null
      ? 'There never was a window.'
      : isPageOpen
        ? `The hosted page is open, and its window reads closed === ${handleSaysClosed}.`
        : `The hosted page is not open; its window reads closed === ${handleSaysClosed}.`,
  ];
}

const textOrNull = (value: unknown): string | null => (typeof value === 'string' ? value : null);
