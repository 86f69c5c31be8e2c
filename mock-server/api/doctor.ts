import type { DoctorFinding } from '../doctor/finding.ts';
import type { ObservationInput, ObservationResource } from './observations.ts';
import type { RoutesOf } from './route.ts';

/** The traffic that the doctor examines. */
export interface DoctorFilter {
  /**
   * Examines only this account. Requests whose key was not accepted belong to no account, so this filter
   * does not exclude them.
   */
  tenantId?: string | undefined;
  /** Examines only this session and the configuration of its account. */
  sessionId?: string | undefined;
  /**
   * Leaves out sessions, requests and observations from before this time, and all records about those
   * sessions. ISO 8601, by the mock's clock. Ignored if `sessionId` is set.
   * @default everything that is stored
   */
  since?: string | undefined;
  /**
   * Includes the labs of the playground, which make mistakes on purpose, and the demo shop's own endpoint.
   * If `sessionId` is set, both are always examined.
   * @default false
   */
  labs?: boolean | undefined;
}

/** The doctor's findings, and how much traffic they are based on. */
export interface DoctorReport {
  checkedAt: string;
  /** The amount of data behind the findings. */
  seen: {
    /** Number of requests to the API. */
    requests: number;
    sessions: number;
    deliveries: number;
    observations: number;
    /** Time of the oldest examined record, or null if there are none. */
    since: string | null;
    /** Number of older API requests that are no longer stored, and therefore not examined. */
    forgottenRequests: number;
    /** Number of sessions that were left out because they belong to the labs of the playground. */
    labSessions: number;
  };
  /** Problems first, then warnings. If there are none, a single finding with severity `ok`. */
  findings: DoctorFinding[];
  /**
   * The findings that probably no longer hold: later traffic of the same kind passed the check, or the
   * setting concerned has changed.
   */
  earlier: DoctorFinding[];
}

/** The methods of the doctor, which finds mistakes in an integration. */
export interface Doctor {
  /**
   * Reports mistakes in an integration. Examines the last 500 requests to the API, the newest 1,000
   * sessions and deliveries, and the reported observations.
   */
  doctor(filter?: DoctorFilter): Promise<DoctorReport>;
  /** Reports an action on the merchant's side, which the service itself cannot see. */
  addObservation(input: ObservationInput): Promise<ObservationResource>;
  /** Lists the last 500 observations, oldest first. */
  observations(): Promise<ObservationResource[]>;
}

export const doctorRoutes = {
  doctor: { method: 'GET', path: '/doctor' },
  observations: { method: 'GET', path: '/observations', items: 'all' },
  addObservation: { method: 'POST', path: '/observations' },
} as const satisfies RoutesOf<Doctor>;
