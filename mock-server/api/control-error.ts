/** The reason why a call to the control API failed. */
export type ControlErrorCode =
  /** The mock did not respond. */
  | 'unreachable'
  /** The response did not come from a mock of this version. */
  | 'not_a_mock'
  /** The mock refused the call. `sentences` has the reasons. */
  | 'refused';

/** The error of a failed call to the control API. */
export class ControlError extends Error {
  readonly code: ControlErrorCode;
  /** The HTTP status, or null if there was no response. */
  readonly status: number | null;
  /** All problems, one sentence each. */
  readonly sentences: readonly string[];

  constructor(
    code: ControlErrorCode,
    status: number | null,
    sentences: readonly string[],
    options?: ErrorOptions,
  ) {
    super(sentences.join('; '), options);
    this.name = 'ControlError';
    this.code = code;
    this.status = status;
    this.sentences = sentences;
  }
}
