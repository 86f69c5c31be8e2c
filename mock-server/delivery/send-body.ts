import type { RealClock } from '../core/clock.ts';
import type { AttemptOutcome } from '../rules/attempts.ts';
import { ATTEMPT_TIMEOUT_MS } from '../rules/webhook-limits.ts';
import { toAttemptOutcome } from './attempt-outcome.ts';
import type { Seal } from './seal.ts';
import type { Sender } from './sender.ts';
import { SIGNATURE_HEADER } from './signature.ts';

export interface SendParts {
  readonly clock: RealClock;
  readonly sender: Sender;
  readonly seal: Seal;
}

/** Makes one request of a stored text, an event's or a test's, and judges what came of it. */
export async function sendBody(
  { url, bodyText, secret }: { url: string; bodyText: string; secret: string | null },
  { clock, sender, seal }: SendParts,
): Promise<AttemptOutcome> {
  const startedAtMs = clock.now();
  const body = new TextEncoder().encode(bodyText);
  const { signature, sha256 } = await seal(body, secret);
  const result = await sender.send({
    url,
    headers: {
      'content-type': 'application/json',
      'user-agent': 'OfAge-Webhooks/1',
      ...(signature !== null && { [SIGNATURE_HEADER]: signature }),
    },
    body,
    timeoutMs: ATTEMPT_TIMEOUT_MS,
  });
  const endedAtMs = clock.now();
  return toAttemptOutcome(result, {
    durationMs: Math.max(0, endedAtMs - startedAtMs),
    bodySha256: sha256,
    signature,
    nowMs: endedAtMs,
  });
}
