import { type TestService } from './a-service.ts';

export const sender = {
  send: async () =>
    ({ kind: 'response', status: 204, retryAfter: null, address: null, hops: 0 }) as const,
};

/** Creates a pending session, a verified one and an observation, and moves the clock by four minutes. */
export async function aRun(my: TestService) {
  const pending = await my.create();
  const verified = await my.create({ externalUserId: 'anna' });
  await my.service.control.settle(verified.sessionId, 'verified');
  await my.service.control.addObservation({
    kind: 'access_granted',
    sessionId: verified.sessionId,
  });
  await my.service.clock.advance(240_000);
  return { pending, verified };
}
