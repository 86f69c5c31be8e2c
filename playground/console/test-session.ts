import { ControlError } from 'ofage-mock/client';
import type { Provider } from '../shared/provider.ts';

export interface TestSession {
  readonly sessionId: string;
  readonly verifyUrl: string;
}

/** Creates a session through the public API. @throws ControlError with the API's error messages */
export async function createTestSession(
  provider: Provider,
  secretKey: string,
  input: { readonly returnUrl: string; readonly externalUserId: string | null },
): Promise<TestSession> {
  const response = await provider.fetch('/api/v1/sessions/create', {
    method: 'POST',
    headers: {
      authorization: `Bearer ${secretKey}`,
      'content-type': 'application/json',
      // Tells the doctor that this is no merchant's page with a secret key. mock-server/api/brand.ts defines
      // the same mark.
      'x-ofage-console': '1',
    },
    body: JSON.stringify(input),
  });
  const answer: unknown = await response.json().catch(() => null);
  if (response.ok) return answer as TestSession;
  const { message }: { message?: unknown } = Object(answer);
  const sentences = Array.isArray(message) ? message.map(String) : [String(message ?? 'no body')];
  throw new ControlError(
    'refused',
    response.status,
    // After a 400 the message names the invalid field, so the status adds nothing. Other errors show their
    // status.
    sentences.map((text) => (response.status === 400 ? text : `${response.status}: ${text}`)),
  );
}
