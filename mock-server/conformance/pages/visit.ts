import type { CreatedSession, KeyPair, SettledStatus } from '../driver.ts';
import type { Answer } from '../exchange.ts';

/**
 * The plan of a verification in the browser. Checks with the same plan share one verification, so that a
 * person does it once.
 */
export interface VisitPlan {
  /** The result that the driver gives the session while the page is open. */
  readonly status: SettledStatus;
  /** The parameters that the shop appends to the verifyUrl, such as `lang=de`. */
  readonly parameters?: string;
  /** Further fields of the create request, besides returnUrl and cancelUrl. */
  readonly fields?: object;
  /** The query of the returnUrl and of the cancelUrl. */
  readonly query?: string;
  readonly hasCancelUrl?: boolean;
}

/** A verification that has ended, for all checks with its plan. */
export interface SharedVisit {
  readonly session: CreatedSession;
  /** The keys of the session's account. */
  readonly keys: KeyPair;
  /** The verifyUrl with the parameters of the plan. */
  readonly pageUrl: string;
  readonly returnUrl: string;
  readonly cancelUrl: string;
  /** The address of the shop to which the page went. */
  readonly address: string;
  /** The time of the result, as `World.now` returns it. */
  readonly settledAtMs: number;
}

/** A verification that has ended, for one check. */
export interface Visit extends SharedVisit {
  /** Validates the session with the keys of its account. */
  validate(): Promise<Answer>;
}
