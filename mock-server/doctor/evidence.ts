import type { ObservationResource } from '../api/doctor.ts';
import type { SessionResource } from '../api/sessions.ts';
import { type Call, toWhat } from './calls.ts';
import type { Pass, Proof } from './finding.ts';
import type { Hook, Records } from './records.ts';

// Functions that convert records to references, which serve as evidence of a finding or as proof that later
// traffic passed.

export function toCallEvidence(call: Call): Proof {
  return { kind: 'request', id: call.id, at: call.at, subject: toWhat(call) };
}

export function toSessionEvidence({ id, createdAt, settledAt }: SessionResource): Proof {
  return { kind: 'session', id, at: settledAt ?? createdAt, subject: 'session' };
}

export function toHookEvidence({ id, createdAt, health }: Hook): Proof {
  return { kind: 'endpoint', id, at: health.pausedAt ?? createdAt, subject: id };
}

export function toObservationEvidence({ id, at, by }: ObservationResource): Proof {
  return { kind: 'observation', id: String(id), at, subject: by ?? '' };
}

export function toPass({ subject, at }: Proof): Pass {
  return { subject, atMs: Date.parse(at) };
}

export function acceptedCalls({ calls }: Pick<Records, 'calls'>): Call[] {
  return calls.filter(({ status }) => status < 400);
}

export function passAccepted(records: Records): Pass[] {
  return acceptedCalls(records).map(toCallEvidence).map(toPass);
}

/** Returns the calls to validate that returned a result. */
export function passResults(records: Records): Pass[] {
  return acceptedCalls(records)
    .filter(({ operation, answer }) => operation === 'validate' && answer['status'] !== 'pending')
    .map(toCallEvidence)
    .map(toPass);
}
