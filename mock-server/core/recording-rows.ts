/** The rows of the current recording. They contain real ids, but no secrets. */

/** A recording in progress. At most one exists, and its id is `recording`. */
export interface RecordingRow {
  readonly id: string;
  readonly name: string;
  readonly startedAtMs: number;
  /** The accounts and faults that existed when the recording started. */
  readonly accounts: readonly AccountAtStart[];
  readonly faults: readonly FaultAtStart[];
  /** True if there were more operations than a recording can hold. */
  readonly isFull: boolean;
}

/** An account, described by the inputs of the operations that recreate it. */
export interface AccountAtStart {
  readonly id: string;
  /** The input of `updateTenant` or `createTenant`. */
  readonly settings: object;
  readonly pairs: readonly PairAtStart[];
  readonly endpoints: readonly EndpointAtStart[];
  /** The input of `putLegacyWebhook`, or null if the account has no legacy webhook. */
  readonly legacyWebhook: object | null;
  readonly nextOutcomes: readonly string[];
}

export interface PairAtStart {
  readonly id: string;
  readonly keys: readonly { readonly id: string; readonly status: string }[];
}

export interface EndpointAtStart {
  readonly id: string;
  /** The input of `createEndpoint`. */
  readonly settings: object;
  /**
   * True if the endpoint is enabled and its receiver accepted the last request. Redelivery is only possible
   * to such an endpoint.
   */
  readonly isWorking: boolean;
}

export interface FaultAtStart {
  readonly id: string;
  /** The input of `addFault`. */
  readonly settings: { readonly tenantId: string | null; readonly [field: string]: unknown };
}

/** An operation that changed something. */
export interface RecordedStepRow extends RecordedCall {
  /** The value of `no` as text. */
  readonly id: string;
  /** The number of the step, starting at 1. */
  readonly no: number;
  /** Virtual time of the step, in milliseconds since the epoch. */
  readonly atMs: number;
}

export interface RecordedCall {
  /** A method of the control API, or a call such as `api.create` or `hosted.submit`. */
  readonly operation: string;
  /** The session that the operation is about, or null. */
  readonly sessionId: string | null;
  readonly created: readonly Created[];
  /** The arguments of a method. */
  readonly args?: readonly unknown[];
  /** The id of an API call's key, or of the session of a call from the hosted page. */
  readonly by?: string;
  readonly device?: 'first' | 'second';
  /** The body of a call. It is missing if the body was not valid JSON. */
  readonly body?: unknown;
  /** The response status of a call. */
  readonly status?: number;
  /** The receiver's response to a test event. */
  readonly answer?: { readonly status: number | null; readonly error: string | null };
}

/** A created resource that later steps can refer to. */
export interface Created {
  readonly kind: 'account' | 'pair' | 'key' | 'session' | 'endpoint' | 'fault';
  readonly id: string;
}
