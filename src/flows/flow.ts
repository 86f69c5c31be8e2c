import type { Session } from '../api.ts';

/** The parameters that a call of verify() appends to verifyUrl. */
export type PageParams = Record<string, string | boolean | undefined>;

/** The part of a verification that differs between the two modes. */
export interface Flow {
  /** Shows the hosted page of the session that was just created. */
  _show(session: Session, params: PageParams): void;
  /**
   * Tells whether the shopper can continue this verification: in new-tab mode if the window is open and can be
   * reached, in redirect mode until there is a session.
   */
  _isReachable(): boolean;
  /** Brings the window to the front. Does nothing in redirect mode. */
  _focus(): void;
  /**
   * Tells whether a later click should navigate to the same session again. Always false in new-tab mode, where
   * the window shows it.
   */
  _canLeaveAgain(): boolean;
  /** Navigates to the hosted page again, with the parameters of a later click. */
  _leaveAgain(params: PageParams): void;
}
