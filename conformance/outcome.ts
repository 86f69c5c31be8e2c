/** Thrown when the implementation does not meet a requirement. */
export class CheckFailure extends Error {
  /** The expected behaviour, as a phrase. */
  readonly expected: string;
  /** The observed behaviour, as a phrase. */
  readonly answered: string;

  constructor(expected: string, answered: string) {
    super(`expected ${expected}; the answer was ${answered}`);
    this.name = 'CheckFailure';
    this.expected = expected;
    this.answered = answered;
  }
}

/** Thrown when a check cannot run against this implementation. */
export class CheckSkip extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = 'CheckSkip';
  }
}

export function ensure(condition: boolean, expected: string, answered: string): asserts condition {
  if (!condition) throw new CheckFailure(expected, answered);
}
