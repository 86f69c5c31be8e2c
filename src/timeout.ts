/** The time limit of a request of the SDK, in milliseconds. */
export const TIMEOUT_MS = 15_000;
