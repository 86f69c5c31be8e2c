import { type Mock } from '../../support/a-mock.ts';

/** Creates a pending session, a verified one and an observation, and moves the clock by four minutes. */
export async function aRun(my: Mock) {
  const pending = await my.create();
  const verified = await my.create({ externalUserId: 'anna' });
  await my.control.settle(verified.sessionId, 'verified');
  await my.control.addObservation({
    kind: 'access_granted',
    sessionId: verified.sessionId,
  });
  await my.clock.advance(240_000);
  return { pending, verified };
}
