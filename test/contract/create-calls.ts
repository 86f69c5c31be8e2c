import { expect } from 'vitest';
import { later, MINUTES_MS, UUID } from './case.ts';
import { CREATE, post, type World } from './world.ts';

export const create =
  (body: object, key: (world: World) => string = ({ sk }) => sk) =>
  (world: World) =>
    post(CREATE, body, key(world));
export const withPk = ({ pk }: World): string => pk;
export const created =
  (differences: object = {}) =>
  async (world: World) => ({
    sessionId: UUID,
    sessionToken: expect.stringMatching(/^[^.]{40,}$/) as unknown,
    verifyUrl: expect.stringMatching(/\?sessionId=[^&]+&sessionToken=[^&]+$/) as unknown,
    expiresAt: await later(await world.now(), 10 * MINUTES_MS),
    testMode: false,
    sandboxMode: true,
    externalUserId: null,
    faceMatchEnabled: true,
    handoffToken: expect.stringMatching(/^[^.]{40,}$/) as unknown,
    ...differences,
  });
