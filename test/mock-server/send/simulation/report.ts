import type { Trace } from './world.ts';

/** The results of the checks of one scenario. */
export interface Report {
  readonly problems: string[];
  /** The invariants that the scenario exercised, because it could have violated them. */
  readonly exercised: Set<Invariant>;
  fail(rule: Invariant | 'errors', what: string): void;
  saw(rule: Invariant): void;
}

/** The number of scenarios in the test suite. */
export const SCENARIOS_IN_SUITE = 600;

/**
 * The number of scenarios, out of 10,000, that must exercise each invariant. docs/delivery-invariants.md
 * explains the invariants.
 */
export const LEAST_EXERCISED = {
  /** A crash in a scenario with an event other than session.started. */
  I1: 2_500,
  I2: 9_000,
  I3: 6_000,
  /** A session that changed while a request was in flight. */
  I4: 3_000,
  /** An event that expired after 24 hours. */
  I5: 300,
  /** A timeout event that was attempted again. */
  I6: 2_000,
  /** An event that was received, possibly more than once because of a crash or a broken response. */
  I7: 6_000,
  /** An endpoint whose URL was changed. */
  I8: 1_000,
  /** An event that was sent more than once. */
  I9: 5_000,
  I10: 9_000,
  I11: 9_000,
  /** A failed attempt of session.started. */
  I12: 3_000,
  /** A request after five or more consecutive failures. */
  P1: 3_000,
  P2: 3_000,
  /** A failure after which the event may wait for more than a minute. */
  P3: 3_000,
  /** A request after a Retry-After. */
  P4: 300,
  /** A hundred requests in a day without a success. */
  P5: 500,
  /** A scenario that is played a second time, with a healthy second endpoint. */
  P6: 500,
  /** A success that ended a series of failures while other deliveries waited. */
  P7: 1_500,
  /** A retry after another event of the endpoint was accepted. */
  P7b: 1_500,
  P8: 9_000,
  /** A request of a failing endpoint while several deliveries waited. */
  P9: 1_500,
  /** A crash with requests in flight, after which no other process runs. */
  P10: 800,
  /** A receiver that refuses some events, flaps, or has a limited capacity. */
  P11: 300,
  H1: 1_500,
  H2: 1_500,
  /** An hour of rejections that was interrupted by a different result. */
  'H2 unbroken': 200,
  H3: 1_500,
  H4: 1_500,
  /** The second pause of one endpoint. */
  'H4 again': 100,
  /**
   * An event for a paused endpoint, or one that was waiting when its endpoint was paused, disabled or
   * deleted.
   */
  H5: 1_500,
  /** A test of a paused endpoint, successful or not. */
  H6: 500,
  H7: 800,
  /** A batch of 500, or an event too old for it. */
  'H7 limits': 100,
  H8: 9_000,
  H9: 800,
  H10: 9_000,
  /** A pause for rejections while an untried event waited. */
  H11: 20,
  X1: 9_000,
  X2: 100,
  X3: 50,
  X6: 500,
} as const;

export type Invariant = keyof typeof LEAST_EXERCISED;

/** Results, crash points, receivers and operations that a run must reach. */
export const MUST_REACH: readonly string[] = [
  'cancelled, delivered, delivered again, undelivered attempts, undelivered disabled, undelivered expired',
  'undelivered lost, undelivered paused, undelivered rejected, resumed, migrated',
  'c0, c0_before, c1, c2, c3, c4, c4_before, c5, c5_before',
  'status, endless, hang, dns_hang, connect, tls, reset_before, reset_after, redirect',
  'dns_fail, dns_empty, dns_mixed, dns_private, dns_flip',
].flatMap((line) => line.split(', '));

/** Returns what a scenario reached, in the words of MUST_REACH. */
export function findReached(trace: Trace): readonly string[] {
  return [
    ...trace.crashes.map(({ phase }) => phase),
    ...trace.sent.map(({ behaviour }) => behaviour.kind),
    ...trace
      .rows('deliveries')
      .flatMap(({ status, reason, redeliveryNo }) => [
        `${status} ${reason ?? ''}`.trim(),
        ...(redeliveryNo > 0 ? [`${status} again`] : []),
      ]),
    ...trace.operations.flatMap(({ operation, result }) => {
      if (result instanceof Error) return [];
      if ((result as { isResumed?: boolean } | null)?.isResumed) return ['resumed'];
      return operation.kind === 'legacy_migrate' ? ['migrated'] : [];
    }),
  ];
}

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
