import type { RealClock } from '../store/clock.ts';
import type { AttemptOutcome } from '../rules/attempts.ts';
import { ATTEMPT_TIMEOUT_MS } from '../rules/webhook-limits.ts';
import { toAttemptOutcome } from './attempt-outcome.ts';
import type { BodySigner } from './sign-and-hash.ts';
import type { Sender, WebhookResult } from './sender.ts';
import { SIGNATURE_HEADER } from './signature.ts';

export interface SendParts {
  readonly clock: RealClock;
  readonly sender: Sender;
  readonly sign: BodySigner;
  /** Aborts when a clock move no longer waits for the attempt, which then times out. */
  readonly signal?: AbortSignal;
}

/** Sends the text of an event or a test once, and classifies the result. */
export async function sendBody(
  { url, bodyText, secret }: { url: string; bodyText: string; secret: string | null },
  { clock, sender, sign, signal }: SendParts,
): Promise<AttemptOutcome> {
  const startedAtMs = clock.now();
  const body = new TextEncoder().encode(bodyText);
  const { signature, sha256 } = await sign(body, secret);
  const sending = sender.send({
    url,
    headers: {
      'content-type': 'application/json',
      'user-agent': 'OfAge-Webhooks/1',
      ...(signature !== null && { [SIGNATURE_HEADER]: signature }),
    },
    body,
    timeoutMs: ATTEMPT_TIMEOUT_MS,
    ...(signal && { signal }),
  });
  const result = signal ? await Promise.race([sending, timeOut(signal)]) : await sending;
  const endedAtMs = clock.now();
  return toAttemptOutcome(result, {
    durationMs: signal?.aborted ? ATTEMPT_TIMEOUT_MS : Math.max(0, endedAtMs - startedAtMs),
    bodySha256: sha256,
    signature,
    nowMs: endedAtMs,
  });
}

/** Resolves with a timeout when the signal aborts, because a custom sender may ignore the signal. */
function timeOut(signal: AbortSignal): Promise<WebhookResult> {
  return new Promise((resolve) => {
    const end = (): void => resolve({ kind: 'failure', error: 'timeout', address: null, hops: 0 });
    signal.addEventListener('abort', end, { once: true });
    if (signal.aborted) end();
  });
}
