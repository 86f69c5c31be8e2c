const POPUP_SCENARIOS = [
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

export const GROUPS = ['No window', 'Window cut off', 'Window closed', 'Window in use'] as const;

/** A run of `verify()` under difficult conditions, such as a blocked window or a forged message. */
export interface PopupScenario {
  readonly id: PopupScenarioId;
  readonly group: (typeof GROUPS)[number];
  readonly title: string;
  /** A description of the conditions. */
  readonly what: string;
  /** The SDK's report, which the lab compares with what it reports. */
  readonly expected: ExpectedReport;
  readonly advice: string;
  /** True if it needs a server that sends the COOP header. */
  readonly needsHeaders?: true;
}

export const SCENARIOS: readonly PopupScenario[] = [
  {
    id: 'blocked',
    group: 'No window',
    title: 'Blocked by its frame',
    what: 'The shop is in a frame whose sandbox allows no popups, so window.open returns null.',
    expected: { word: 'rejected', code: 'popup_blocked' },
    advice:
      'Show a link that starts the check in redirect mode. If the frame is yours, add allow-popups to its sandbox.',
  },
  {
    id: 'too_late',
    group: 'No window',
    title: 'Too late after the click',
    what: 'The page does something slow first and calls verify() about five seconds after the click. Do not click or type until then.',
    expected: { word: 'rejected', code: 'popup_blocked', reason: 'no_user_gesture' },
    advice:
      'Call verify() directly in the click handler, before the first await. The SDK opens the window before it creates the session.',
  },
  {
    id: 'coop',
    group: 'Window cut off',
    title: 'Cut off by COOP',
    what: 'The check begins on a page that sends Cross-Origin-Opener-Policy: same-origin. The browser then cuts the connection to the window, whose closed property is true although it is open.',
    expected: { word: 'verified' },
    advice:
      'Call handleReturn() on your return page, because it uses a channel that COOP does not cut. Send same-origin-allow-popups if you can.',
    needsHeaders: true,
  },
  {
    id: 'opener_lost',
    group: 'Window cut off',
    title: 'Opener lost',
    what: 'The window has no opener, as with noopener or in some in-app browsers, so the hosted page cannot post its message.',
    expected: { word: 'verified' },
    advice:
      'Nothing, if your return page calls handleReturn(). The hosted page goes there when it has no opener.',
  },
  {
    id: 'closed_early',
    group: 'Window closed',
    title: 'Closed early',
    what: 'The shopper closes the window in the middle of the check.',
    expected: { word: 'cancelled', reason: 'closed' },
    advice:
      'Show the button again. The service cancels the session, and the next verify() creates a new one.',
  },
  {
    id: 'closed_before_start',
    group: 'Window closed',
    title: 'Closed before it began',
    what: 'Creating the session takes three seconds, and the shopper closes the blank window before that.',
    expected: { word: 'cancelled', reason: 'closed_before_start' },
    advice: 'Show the button again. There is no session to validate.',
  },
  {
    id: 'closed_after',
    group: 'Window closed',
    title: 'Closed after the result',
    what: 'The shopper passes, and the window closes at the moment when it reports the result.',
    expected: { word: 'verified' },
    advice:
      'Do not treat a closed window as a refusal. If the message is lost, the webhook still reaches your server.',
  },
  {
    id: 'slow_create',
    group: 'Window in use',
    title: 'Slow start',
    what: 'Creating the session takes three seconds. The window opens at once and shows that it is loading.',
    expected: { word: 'verified' },
    advice: 'Nothing. This is why the SDK opens the window before it sends the request.',
  },
  {
    id: 'forged',
    group: 'Window in use',
    title: 'Forged message',
    what: 'A frame in the page posts the message of the hosted page: verified, with the right session ID. Then the shopper cancels.',
    expected: { word: 'cancelled', reason: 'user' },
    advice:
      'If you handle messages yourself, compare origin, source and session. Always call validate on your server.',
  },
];

/** An event in a run. Entries are in the order of occurrence. */
export interface PopupEntry {
  /** Time since the click. Milliseconds. */
  readonly atMs: number;
  readonly who: 'sdk' | 'window' | 'service' | 'lab';
  readonly text: string;
}

export interface SdkReport {
  readonly word: string;
  readonly code: string | null;
  readonly reason: string | null;
  readonly atMs: number;
}

type ExpectedReport = Pick<SdkReport, 'word'> & Partial<Pick<SdkReport, 'code' | 'reason'>>;

/** Tells whether a report has everything that was expected of it. */
export function isExpected(report: SdkReport, expected: ExpectedReport): boolean {
  const { word, code = report.code, reason = report.reason } = expected;
  return report.word === word && report.code === code && report.reason === reason;
}

/** Formats a report without its time, for example `resolves cancelled, reason closed`. */
export function toExpectation({ word, code, reason }: ExpectedReport): string {
  const what = word === 'rejected' ? `rejects ${code ?? ''}` : `resolves ${word}`;
  return `${what}${reason ? `, reason ${reason}` : ''}`;
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

/** Formats a report, for example `resolved cancelled, reason closed, 1.2 s after the click`. */
export function toReportLine({ word, code, reason, atMs }: SdkReport): string {
  const what = word === 'rejected' ? `rejected ${code ?? ''}`.trim() : `resolved ${word}`;
  return `${what}${reason === null ? '' : `, reason ${reason}`}, ${toSeconds(atMs)} after the click`;
}

export function toSeconds(ms: number): string {
  return ms < 1_000 ? `${Math.round(ms)} ms` : `${(ms / 1_000).toFixed(1)} s`;
}

const textOrNull = (value: unknown): string | null => (typeof value === 'string' ? value : null);
