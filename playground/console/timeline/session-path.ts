import type { SessionResource } from 'ofage-mock';
import { SESSION_STATUSES } from '../../../mock-server/words/states.ts';
import { toDuration } from '../../shared/duration.ts';

/**
 * The state of a session as an integration sees it. `validated` means that the result was fetched, which
 * is possible only once. `lapsed` means that the result was not fetched in time.
 */
export type SessionState = SessionResource['status'] | 'validated' | 'lapsed';

/** Returns the states that can follow. */
export function toNextStates(state: SessionState): readonly SessionState[] {
  switch (state) {
    case 'pending':
      return SESSION_STATUSES.filter((status) => status !== 'pending');
    case 'verified':
    case 'failed':
    case 'cancelled':
      return ['validated', 'lapsed'];
    default:
      return [];
  }
}

/** Names the states that can follow, and explains the one whose name says little. */
export function describeNextStates(state: SessionState): string {
  const names = toNextStates(state).map((next) =>
    next === 'lapsed' ? 'lapsed (not fetched in time)' : next,
  );
  return names.join(', ');
}

export interface SessionPath {
  /** The states that the session has reached, oldest first. The last one is the current state. */
  readonly steps: readonly { readonly state: SessionState; readonly atMs: number }[];
  readonly current: SessionState;
  /** The time until `expiresAt`, or null once the deadline no longer matters. */
  readonly leftMs: number | null;
}

type PathFacts = Pick<
  SessionResource,
  'status' | 'createdAt' | 'expiresAt' | 'settledAt' | 'validatedAt'
>;

/** @param nowMs The time on the service's clock */
export function toSessionPath(session: PathFacts, nowMs: number): SessionPath {
  const { status, createdAt, expiresAt, settledAt, validatedAt } = session;
  const expiresAtMs = Date.parse(expiresAt);
  const steps: { state: SessionState; atMs: number }[] = [
    { state: 'pending', atMs: Date.parse(createdAt) },
  ];
  if (status !== 'pending') {
    steps.push({ state: status, atMs: settledAt === null ? expiresAtMs : Date.parse(settledAt) });
  } else if (nowMs >= expiresAtMs) {
    // The session counts as expired from its deadline, although the job that expires it may not have run
    // yet.
    steps.push({ state: 'expired', atMs: expiresAtMs });
  }
  const ended = steps.at(-1)?.state ?? 'pending';
  const hasResult = ended === 'verified' || ended === 'failed' || ended === 'cancelled';
  if (validatedAt !== null) steps.push({ state: 'validated', atMs: Date.parse(validatedAt) });
  else if (hasResult && nowMs >= expiresAtMs) steps.push({ state: 'lapsed', atMs: expiresAtMs });
  const current = steps.at(-1)?.state ?? 'pending';
  const isOpen = current === 'pending' || (hasResult && current === ended);
  return {
    steps,
    current,
    leftMs: isOpen ? expiresAtMs - nowMs : null,
  };
}

export function toMeaning(current: SessionState, leftMs: number | null): string {
  const left = leftMs === null ? '' : toDuration(Math.ceil(leftMs / 1_000) * 1_000);
  switch (current) {
    case 'pending':
      return `The shopper has ${left} left.`;
    case 'failed':
    case 'cancelled':
      return `The shop's server need not fetch this result, but can for another ${left}.`;
    case 'verified':
      return `The shop's server has not fetched the result. It can call validate for another ${left}.`;
    case 'expired':
      return 'The session ended without a result. Validate returns session_expired.';
    case 'validated':
      return 'The result was collected. Validate returns it only once.';
    case 'lapsed':
      return 'The result was not collected in time. Only a webhook can have reported it.';
  }
}
