import type { Session } from '../api.ts';

/** The part of a verification that differs between the two modes. */
export interface Flow {
  /**
   * Shows the hosted page of the session that was just created. `url` is its address, with this call's
   * parameters.
   */
  _show(session: Session, url: string): void;
  /**
   * Brings the window of the hosted page to the front. Returns false when the window is closed or
   * unreachable, and always true in redirect mode, which has no window.
   */
  _focus(): boolean;
}
