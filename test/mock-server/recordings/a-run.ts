import type { Recording, ServiceOptions, WebhookResult } from 'ofage/mock';
import { expect } from 'vitest';
import { aService, type TestService } from '../http/a-service.ts';

export const HOOKS = 'https://hooks.shop.example/T000/private-path?token=abc';

/** A service with an endpoint. The test sets how its receiver responds. */
export interface RecordedRun extends TestService {
  /**
   * Sets the receiver's response to all requests that follow: a status, or the reason why there is none.
   */
  respondWith(answer: number | 'timeout' | 'reset'): void;
  readonly sent: number;
}

export function aRun(options: ServiceOptions = {}): RecordedRun {
  let answer: number | 'timeout' | 'reset' = 200;
  let sent = 0;
  const base = aService({
    endpoints: [{ url: HOOKS }],
    sender: {
      async send(): Promise<WebhookResult> {
        sent += 1;
        const nowhere = { address: null, hops: 0 };
        return typeof answer === 'number'
          ? { kind: 'response', status: answer, retryAfter: null, ...nowhere }
          : { kind: 'failure', error: answer, ...nowhere };
      },
    },
    ...options,
  });
  return {
    ...base,
    respondWith: (how) => void (answer = how),
    get sent() {
      return sent;
    },
  };
}

/** Converts a recording to JSON and back, as if it were saved to a file and loaded on another computer. */
export function throughFile(recording: Recording): Recording {
  return JSON.parse(JSON.stringify(recording)) as Recording;
}

export const HOUR_MS = 3_600_000;

/** Simulates a day with a fault, a retry, a refused validate, a paused endpoint and a redelivery. */
export async function doALongDay({
  service,
  api,
  hosted,
  respondWith,
}: RecordedRun): Promise<void> {
  const { control, clock } = service;
  const { tenantId, secretKey } = await service.ready;
  const [endpoint] = await control.endpoints(tenantId);
  const body = { returnUrl: 'http://localhost/', verificationMode: 'L2', challengeAge: 30 };

  respondWith(500);
  await control.addFault({ operation: 'create', fault: '503' });
  await api('create', secretKey, body);
  const first = (await api('create', secretKey, { ...body, externalUserId: 'anna' })).body;
  await clock.advance(30_000);
  await hosted('session', first.sessionToken);
  await hosted('submit', first.sessionToken, { imageQuality: 'poor' });
  await hosted('retry', first.sessionToken);
  await hosted('outcome', first.sessionToken, { outcome: 'verified_after_id' });
  await api('validate', secretKey, { sessionId: first.sessionId });
  await api('validate', secretKey, { sessionId: first.sessionId });
  await control.trigger({ name: 'never' });
  await clock.advance(26 * HOUR_MS);
  expect((await control.endpoint(endpoint!.id)).health.state).toBe('paused');
  respondWith(200);
  await control.resumeEndpoint(endpoint!.id);
  await clock.advance(5_000);
  await control.redeliver(endpoint!.id);
  await clock.advance(60_000);
}
