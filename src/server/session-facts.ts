import { type JsonObject, readNumber, readOneOf, readString } from './json-object.ts';
import type { VerificationMode } from './session-input.ts';

/** A session's id, and the policy that applies to the session. */
interface SessionFacts {
  readonly sessionId: string;
  readonly verificationMode: VerificationMode;
  readonly challengeAge: number;
}

/** Reads the fields that validation results and the data of webhooks have in common. */
export function readSessionFacts(body: JsonObject): SessionFacts {
  return {
    sessionId: readString(body, 'sessionId'),
    verificationMode: readOneOf(body, 'verificationMode', ['L1', 'L2'] as const),
    challengeAge: readNumber(body, 'challengeAge'),
  };
}
