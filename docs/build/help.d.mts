/** The help about a code from one source. A code may have several, such as the SDK and the doctor. */
export interface HelpEntry {
  /** An error's or a finding's code, or `warnings`. */
  readonly code: string;
  /** The part that reports the code. Markdown with code and links, like the fields below. */
  readonly from: string;
  /** A sentence about the kind or the severity. */
  readonly kind: string;
  readonly cause: string;
  readonly fix: string;
}

/** Returns an entry for each row of the tables, in their order. */
export function readHelp(): HelpEntry[];
