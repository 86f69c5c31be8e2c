const TYPE = 'ofage:verification:complete';

/** Returns the message that the hosted page would post after a success. */
export function toForgedMessage(sessionId: string | undefined): object {
  return { type: TYPE, sessionId, status: 'verified', timestamp: Date.now() };
}

/** Tells whether a message reports the end of a check. */
export function isCompletion(data: unknown): boolean {
  return Object(data).type === TYPE;
}
