import {
  type ValueCheck,
  flag,
  int,
  objectOf,
  oneOf,
  optional,
  orNull,
  type Row,
  text,
  time,
} from './checks.ts';

// The table of reports: what a shop's page did with the SDK, as seen from outside of the SDK. Only pages that
// load the SDK from the mock, or a test's SDK that was asked to, send reports.

export const REPORT_KINDS = [
  'page.shown',
  'page.left',
  'page.hidden',
  'page.visible',
  'sdk.created',
  'sdk.refused',
  'verify.called',
  'verify.resolved',
  'verify.rejected',
  'window.opened',
  'session.created',
  'callback.called',
  'destroy.called',
  'return.read',
  'message.received',
  'warning.written',
] as const;
/** The kind of a report. The part before the dot is what it is about. */
export type ReportKind = (typeof REPORT_KINDS)[number];

/** The facts of a report. Each kind has only some of them. */
export interface ReportFacts {
  /** `sdk.created`, `sdk.refused`: the version of the SDK. */
  readonly version?: string;
  /** The options of the constructor. A URL has no query and no fragment. */
  readonly mode?: string;
  readonly newTabTarget?: string;
  readonly environment?: string;
  readonly returnUrl?: string;
  readonly cancelUrl?: string;
  /** The names of the callbacks that the page has set, separated by commas. */
  readonly callbacks?: string;
  /** The option of the constructor or of `verify()`. */
  readonly language?: string;
  /** The options of `verify()`. Of `externalUserId`, only the first characters. */
  readonly externalUserId?: string;
  readonly skipIntro?: boolean;
  readonly autoReturn?: boolean;
  /** `verify.called`: true during a click, or shortly after one. Absent if the browser does not tell. */
  readonly isInClick?: boolean;
  /** `verify.called`: false if the shopper has not touched the page yet. Absent if the browser does not tell. */
  readonly isPageUsed?: boolean;
  /** `window.opened`: false if the browser has blocked the window. */
  readonly isOpen?: boolean;
  /** `page.shown`, `page.left`: true if the page comes from, or may go to, the back/forward cache. */
  readonly isCached?: boolean;
  /** A result, the answer of `handleReturn()` (`null` if it found none), or the field of a message. */
  readonly status?: string;
  readonly reason?: string;
  readonly timestamp?: string;
  /** The session that the page or a message named, which may be of no account. */
  readonly sessionId?: string;
  /** The code and the message of an error, or the text of a warning. */
  readonly code?: string;
  readonly message?: string;
  /** `callback.called`: the name of the callback, and what it returned or threw. */
  readonly name?: string;
  readonly returned?: string;
  /** `message.received`: the type, the sender's origin, and what the hosted page says about its presence. */
  readonly type?: string;
  readonly from?: string;
  readonly present?: string;
  /** `message.received`: false if no effect of it was seen. */
  readonly hasEffect?: boolean;
}

export const REPORT_FACTS: {
  readonly [Name in keyof ReportFacts]-?: ValueCheck<Exclude<ReportFacts[Name], undefined>>;
} = {
  version: text,
  mode: text,
  newTabTarget: text,
  environment: text,
  returnUrl: text,
  cancelUrl: text,
  callbacks: text,
  language: text,
  externalUserId: text,
  skipIntro: flag,
  autoReturn: flag,
  isInClick: flag,
  isPageUsed: flag,
  isOpen: flag,
  isCached: flag,
  status: text,
  reason: text,
  timestamp: text,
  sessionId: text,
  code: text,
  message: text,
  name: text,
  returned: text,
  type: text,
  from: text,
  present: text,
  hasEffect: flag,
};

const factColumns = Object.fromEntries(
  Object.entries(REPORT_FACTS).map(([name, check]) => [name, optional<unknown>(check)]),
);

/** The row's id is the value of `no` as text. */
export const reports = {
  /** The number of the report, counted from 1 in the order of arrival. */
  no: int,
  /** Virtual time of what is reported. */
  atMs: time,
  /** The same in real time: the time of arrival minus the age that the page reports. */
  realAtMs: time,
  kind: oneOf<ReportKind>(...REPORT_KINDS),
  /** The account of the publishable key. Null if no account has it. */
  tenantId: orNull(text),
  /** The session of the attempt. Null as long as there is none. */
  sessionId: orNull(text),
  /** One call of `verify()`. Null for what belongs to none. */
  attemptId: orNull(text),
  /** One load of the page. */
  pageId: text,
  /** The place of the report among those of the page. */
  seq: int,
  /** The URL of the page, without its query and its fragment. */
  pageUrl: text,
  // The cast is safe, because the columns have the names and the checks of the facts.
  facts: objectOf<object>(factColumns as never) as ValueCheck<ReportFacts>,
};
export interface ReportRow extends Row<typeof reports> {}
