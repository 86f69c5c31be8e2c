/** What the checks of one scenario found, by the names of the invariants. */
export interface Report {
  readonly problems: string[];
  /** The invariants that the scenario put to the test: those with something that could have gone wrong. */
  readonly exercised: Set<Invariant>;
  fail(rule: Invariant | 'errors', what: string): void;
  saw(rule: Invariant): void;
}

/**
 * In how many of 10,000 scenarios each invariant has to be put to the test. docs/delivery-invariants.md says
 * what each of them means.
 */
export const LEAST_EXERCISED = {
  /** A crash, with deliveries of completions or timeouts. */
  I1: 2_500,
  I2: 9_000,
  I3: 6_000,
  /** A session that changed while a request was under way. */
  I4: 3_000,
  /** Something that waited until its day was over. */
  I5: 300,
  /** A timeout event that failed. */
  I6: 2_000,
  /** Something that was received, crashes and broken responses among the reasons for more. */
  I7: 6_000,
  /** An endpoint whose address was changed. */
  I8: 1_000,
  /** An event that was sent more than once. */
  I9: 5_000,
  I10: 9_000,
  I11: 9_000,
  /** A start that failed. */
  I12: 3_000,
  /** A start while the endpoint kept failing. */
  P1: 3_000,
  P2: 3_000,
  /** Requests a minute and more apart, with something waiting. */
  P3: 3_000,
  /** A request after a receiver had asked for patience. */
  P4: 300,
  /** A hundred requests in a day, and not one success. */
  P5: 500,
  /** The same with another endpoint well and dead. */
  P6: 500,
  /** A success that ended a failing run while others waited. */
  P7: 1_500,
  /** An event that was tried again after another one of its endpoint was accepted. */
  P7b: 1_500,
  P8: 9_000,
  /** Requests that were under way together, and failed. */
  P9: 1_000,
  /** A crash with requests under way to an endpoint that was well, and more to send. */
  P10: 150,
  H1: 1_500,
  H2: 1_500,
  /** An hour of rejections that something else broke. */
  'H2 unbroken': 200,
  H3: 1_500,
  H4: 1_500,
  /** The second pause of one endpoint. */
  'H4 again': 100,
  /** An event for a paused or disabled endpoint, or one that waited when it stopped. */
  H5: 1_500,
  /** A test to resume, good or bad. */
  H6: 500,
  H7: 800,
  /** A batch of five hundred, or something too old for it. */
  'H7 limits': 100,
  H8: 9_000,
  H9: 800,
  H10: 9_000,
  X1: 9_000,
  X2: 100,
  X3: 100,
  X6: 500,
} as const;

export type Invariant = keyof typeof LEAST_EXERCISED;

export function createReport(): Report {
  const problems: string[] = [];
  const exercised = new Set<Invariant>();
  return {
    problems,
    exercised,
    fail: (rule, what) => void problems.push(`${rule}: ${what}`),
    saw: (rule) => void exercised.add(rule),
  };
}
