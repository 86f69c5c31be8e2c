import type { DeliveryResource, SessionResource } from '../control/resources.ts';
import type { Call } from './calls.ts';
import type { DoctorEvidence } from './finding.ts';
import type { Hook } from './records.ts';

// Functions that convert records to references, which serve as evidence of a finding.

export function toCallEvidence({ id, at }: Call): DoctorEvidence {
  return { kind: 'request', id, at };
}

export function toSessionEvidence({ id, createdAt, settledAt }: SessionResource): DoctorEvidence {
  return { kind: 'session', id, at: settledAt ?? createdAt };
}

export function toDeliveryEvidence({ id, createdAt, attempts }: DeliveryResource): DoctorEvidence {
  return { kind: 'delivery', id, at: attempts.at(-1)?.startedAt ?? createdAt };
}

export function toHookEvidence({ id, createdAt, health }: Hook): DoctorEvidence {
  return { kind: 'endpoint', id, at: health.pausedAt ?? createdAt };
}
