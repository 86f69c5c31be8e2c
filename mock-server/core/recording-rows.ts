/** The rows of a recording that is under way. They contain real ids, but no secrets. */

/** There is at most one recording; its id is `recording`. */
export interface RecordingRow {
  readonly id: string;
  readonly name: string;
  readonly startedAtMs: number;
  /** The accounts and faults that existed when it began. */
  readonly accounts: readonly AccountAtStart[];
  readonly faults: readonly FaultAtStart[];
  /** More was done than a recording can hold. */
  readonly isFull: boolean;
}

/** An account, as the inputs of the operations that make the same one again. */
export interface AccountAtStart {
  readonly id: string;
  /** What `createTenant` takes. */
  readonly settings: object;
  readonly pairs: readonly PairAtStart[];
  readonly endpoints: readonly EndpointAtStart[];
  /** What `putLegacyWebhook` takes; null without one. */
  readonly legacyWebhook: object | null;
  readonly nextOutcomes: readonly string[];
}

export interface PairAtStart {
  readonly id: string;
  readonly keys: readonly { readonly id: string; readonly status: string }[];
}

export interface EndpointAtStart {
  readonly id: string;
  /** What `createEndpoint` takes. */
  readonly settings: object;
  /** Its receiver accepted the last request, without which nothing can be redelivered. */
  readonly isWorking: boolean;
}

export interface FaultAtStart {
  readonly id: string;
  /** What `addFault` takes. */
  readonly settings: { readonly tenantId: string | null; readonly [field: string]: unknown };
}

/** An operation that changed something. */
export interface RecordedStepRow extends RecordedCall {
  /** `no` as text. */
  readonly id: string;
  /** Counts from 1. */
  readonly no: number;
  /** Virtual time. */
  readonly atMs: number;
}

export interface RecordedCall {
  /** A method of the control surface, or a call such as `api.create` or `hosted.submit`. */
  readonly operation: string;
  /** The session that it is about, when there is one. */
  readonly sessionId: string | null;
  readonly created: readonly Created[];
  /** The arguments of a method. */
  readonly args?: readonly unknown[];
  /** The key of a call to the API, or the session of one from the hosted page. */
  readonly by?: string;
  readonly device?: 'first' | 'second';
  /** The body of a call; none when it was not JSON. */
  readonly body?: unknown;
  /** The status that a call was answered. */
  readonly status?: number;
  /** The answer of the receiver to a test event. */
  readonly answer?: { readonly status: number | null; readonly error: string | null };
}

/** A thing that later steps can name. */
export interface Created {
  readonly kind: 'account' | 'pair' | 'key' | 'session' | 'endpoint' | 'fault';
  readonly id: string;
}
