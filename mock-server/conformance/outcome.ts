/** Thrown when the implementation does not meet a requirement. */
export class CheckFailure extends Error {
  /** The expected behaviour, as a phrase. */
  readonly expected: string;
  /** The observed behaviour, as a phrase. */
  readonly answered: string;
  /** The reason if it can fail other checks too, as a key for a report. */
  readonly sharedCause: string | null;

  constructor(expected: string, answered: string, sharedCause: string | null = null) {
    super(`expected ${expected}; the answer was ${answered}`);
    this.name = 'CheckFailure';
    this.expected = expected;
    this.answered = answered;
    this.sharedCause = sharedCause;
  }
}

/** Thrown when a check cannot run against this implementation. */
export class CheckSkip extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = 'CheckSkip';
  }
}

export function ensure(
  condition: boolean,
  expected: string,
  answered: string,
  sharedCause: string | null = null,
): asserts condition {
  if (!condition) throw new CheckFailure(expected, answered, sharedCause);
}

/** Describes an error together with its causes, because that of `fetch` says only "fetch failed". */
export function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // Node reports all addresses that it has tried as one error without a message.
  const own = error instanceof AggregateError && error.message === '' ? error.errors[0] : error;
  const text = own === error ? error.message : describeError(own);
  return error.cause === undefined ? text : `${text}: ${describeError(error.cause)}`;
}
