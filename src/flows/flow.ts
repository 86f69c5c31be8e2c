import type { Session } from '../api.ts';

/** A started flow, as verify() uses it. */
export interface Flow {
  /** Shows the verification page of the session that was just created; `url` has this call's parameters. */
  _show(session: Session, url: string): void;
  /** Brings the verification page to the front. Returns false when the page is closed or unreachable. */
  _focus(): boolean;
}
