import type { Session } from '../api.ts';

/** The parameters that a call of verify() appends to verifyUrl. */
export type PageParams = Record<string, string | boolean | undefined>;

/** The part of a verification that differs between the two modes. */
export interface Flow {
  /** Shows the hosted page of the session that was just created. */
  _show(session: Session, params: PageParams): void;
  /**
   * Continues the verification at a later click. In new-tab mode, brings the window to the front. In
   * redirect mode, waits for the session. Returns false when the window is closed or unreachable, and in
   * redirect mode once the page is leaving.
   */
  _focus(): boolean;
  /**
   * Navigates to the hosted page again, with the parameters of a later click. Returns false in new-tab mode,
   * before there is a session, and after the session has expired.
   */
  _leaveAgain(params: PageParams): boolean;
}
