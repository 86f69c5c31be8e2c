/** The lifetime of a session. After it, the service refuses to validate the session. */
export const SESSION_LIFETIME_MS = 10 * 60_000;
