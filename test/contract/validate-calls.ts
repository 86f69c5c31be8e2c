import { later, MINUTES_MS, UUID } from './case.ts';
import { post, VALIDATE, type Call, type World } from './world.ts';

/** Creates a session, runs `happen` on it, and returns the request to validate it. */
export const validateAfter =
  (
    happen: (world: World, sessionId: string) => Promise<unknown> = async () => {},
    body: object = {},
  ) =>
  async (world: World): Promise<Call> => {
    const { sessionId } = await world.create(body);
    await happen(world, sessionId);
    return post(VALIDATE, { sessionId }, world.sk);
  };

export const validated =
  (status: string, differences: object = {}) =>
  async (world: World) => ({
    sessionId: UUID,
    merchantId: world.tenantId,
    verified: status === 'verified',
    accessGranted: status === 'verified',
    status,
    verificationMode: 'L1',
    challengeAge: 25,
    faceMatchEnabled: true,
    externalUserId: null,
    testMode: false,
    timestamp: await world.now(),
    expiresAt: await later(await world.now(), 10 * MINUTES_MS),
    ...differences,
  });
