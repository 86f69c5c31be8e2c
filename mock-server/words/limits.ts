import { ATTEMPT_TIMEOUT_MS } from '../rules/webhook-limits.ts';

/** The time limit of a webhook attempt, for a sentence. */
export const ATTEMPT_TIMEOUT: string = `${ATTEMPT_TIMEOUT_MS / 1_000} seconds`;
