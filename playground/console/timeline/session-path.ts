import type { SessionResource } from 'ofage/mock';
import { toDuration } from '../../shared/duration.ts';

/**
 * The states of a session as an integration sees them. `validated` means that the result was fetched, which
 * is possible only once. `lapsed` means that the result was not fetched in time.
 */
export const SESSION_STATES = [
  'pending',
  'verified',
  'failed',
  'cancelled',
  'expired',
  'validated',
  'lapsed',
] as const;

export type SessionState = (typeof SESSION_STATES)[number];

/** All possible transitions between states. */
export const TRANSITIONS: readonly (readonly [SessionState, SessionState])[] = [
  ['pending', 'verified'],
  ['pending', 'failed'],
  ['pending', 'cancelled'],
  ['pending', 'expired'],
  ['verified', 'validated'],
  ['failed', 'validated'],
  ['cancelled', 'validated'],
  ['verified', 'lapsed'],
  ['failed', 'lapsed'],
  ['cancelled', 'lapsed'],
];

export interface SessionPath {
  /** The states that the session has reached, oldest first. The last one is the current state. */
  readonly steps: readonly { readonly state: SessionState; readonly atMs: number }[];
  readonly current: SessionState;
  /** The time until `expiresAt`, or null once the deadline no longer matters. */
  readonly leftMs: number | null;
  readonly retries: number;
  readonly needsRetry: boolean;
}

type PathFacts = Pick<
  SessionResource,
  'status' | 'createdAt' | 'expiresAt' | 'settledAt' | 'validatedAt' | 'retries' | 'needsRetry'
>;

/** @param nowMs The time on the service's clock */
export function toSessionPath(session: PathFacts, nowMs: number): SessionPath {
  const { status, createdAt, expiresAt, settledAt, validatedAt, retries, needsRetry } = session;
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
    retries,
    needsRetry: needsRetry && current === 'pending',
  };
}

/** Describes the path in words, for users who cannot see the diagram. */
export function describePath({ steps, current, leftMs, retries }: SessionPath): string {
  const states = steps.map(({ state, atMs }) => `${state} at ${toTime(atMs)}`).join(', then ');
  const retryNote = retries === 0 ? '' : ` Retries in the same session: ${retries}.`;
  return `The session was ${states}.${retryNote} ${toMeaning(current, leftMs)}`;
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

function toTime(atMs: number): string {
  return new Date(atMs).toISOString().slice(11, 19);
}
