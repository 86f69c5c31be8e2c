import type { Session } from '../api.ts';

/** Shows the verification page of a session that was just created; url has this call's extras. */
export type Show = (session: Session, url: string) => void;
