import type { ServiceOptions } from 'ofage-mock';
import { RETURN_URL } from '../../support/api.ts';
import { HOOK, NEW_YEAR, openMock, type MockOptions } from '../../support/a-mock.ts';

export { answered, HOOK, NEW_YEAR as JANUARY, type SentWebhook } from '../../support/a-mock.ts';
export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** An endpoint for all events. Without this option, the endpoint gets only completions. */
export const ALL_EVENTS: ServiceOptions = { endpoints: [{ url: HOOK, secret: 'a secret' }] };

/** Creates a mock with an endpoint. `answer` returns the responses of its receivers. */
export async function createScene(
  answer: NonNullable<MockOptions['answer']>,
  options: ServiceOptions = {},
) {
  const { service, control, clock, sent, tenantId, secretKey, api, call } = await openMock({
    // Real time stands still, so that only the test moves the clock.
    realClock: { now: () => NEW_YEAR, wakeAt: () => () => {} },
    tenant: { rateLimits: { create: 1_000_000, validate: 1_000_000 } },
    endpoints: [{ url: HOOK, secret: 'a secret', events: ['verification.completed'] }],
    answer,
    ...options,
  });
  const [endpoint] = await control.endpoints(tenantId);
  const endpointId = endpoint?.id ?? '';
  return {
    service,
    control,
    clock,
    sent,
    tenantId,
    endpointId,
    /** Completes sessions, and returns the id of the last one. */
    async complete(count = 1): Promise<string> {
      let id = '';
      for (let n = 0; n < count; n += 1) ({ id } = await control.trigger({ name: 'verified' }));
      return id;
    },
    /** Creates a session over the API, and returns its id. */
    create: async (key: string = secretKey): Promise<string> =>
      (await api('create', key, { returnUrl: RETURN_URL })).body.sessionId,
    advance: (ms: number) => clock.advance(ms),
    health: async () => (await control.endpoint(endpointId)).health,
    call,
  };
}

export const kindsOf = (sent: readonly { body: string }[]): string[] =>
  sent.map(({ body }) => (JSON.parse(body) as { event: string }).event);
