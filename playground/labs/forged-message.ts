const TYPE = 'ofage:verification:complete';

/** The message that the hosted page would post if the shopper had passed. */
export function toForgedMessage(sessionId: string | undefined): object {
  return { type: TYPE, sessionId, status: 'verified', timestamp: Date.now() };
}

/** Whether a message says how a check has ended. */
export function isCompletion(data: unknown): boolean {
  return Object(data).type === TYPE;
}
