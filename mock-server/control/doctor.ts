import type { DoctorFinding } from '../doctor/finding.ts';
import type { ObservationInput, ObservationResource } from './observations.ts';
import type { RoutesOf } from './route.ts';

export interface DoctorFilter {
  /**
   * Only this account. Requests whose key was not accepted belong to no account, and are always included.
   */
  tenantId?: string | undefined;
  /** Only this session, and how its account is set up. */
  sessionId?: string | undefined;
}

export interface DoctorReport {
  checkedAt: string;
  /** The data behind the findings. */
  seen: {
    /** Requests to the API. */
    requests: number;
    sessions: number;
    deliveries: number;
    observations: number;
    /** Time of the oldest of these; null if there are none. */
    since: string | null;
    /** Number of older API requests that are no longer stored, and therefore not examined. */
    forgottenRequests: number;
  };
  /** Problems first, then warnings; one that is `ok` when there is neither. */
  findings: DoctorFinding[];
}

/** Finds mistakes of an integration. */
export interface Doctor {
  /**
   * Says what is wrong with an integration, judging by the last 500 requests to the API, the newest 1,000
   * sessions and deliveries, and what was observed.
   */
  doctor(filter?: DoctorFilter): Promise<DoctorReport>;
  /** Tells what the service cannot see: what the merchant's side did with a result. */
  addObservation(input: ObservationInput): Promise<ObservationResource>;
  /** The last 500 of these, oldest first. */
  observations(): Promise<ObservationResource[]>;
}

export const doctorRoutes = {
  doctor: { method: 'GET', path: '/doctor' },
  observations: { method: 'GET', path: '/observations', items: 'all' },
  addObservation: { method: 'POST', path: '/observations' },
} as const satisfies RoutesOf<Doctor>;
