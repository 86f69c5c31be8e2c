/** The reason why a call of the client failed. */
export type ControlErrorCode =
  /** There was no response. */
  | 'unreachable'
  /** What answered is not a mock of this version. */
  | 'not_a_mock'
  /** The mock refused; the sentences say why. */
  | 'refused';

/** A call of the control API that failed. */
export class ControlError extends Error {
  readonly code: ControlErrorCode;
  /** HTTP status; null if there was no response. */
  readonly status: number | null;
  /** Everything that was wrong, one sentence each. */
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
