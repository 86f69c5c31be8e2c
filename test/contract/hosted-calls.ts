import { expect } from 'vitest';
import { post, RETURN_URL, type Call, type Created, type World } from './world.ts';

export const page =
  (
    method: 'GET' | 'POST',
    action: string,
    body?: object,
    before: (world: World, session: Created) => Promise<unknown> = async () => {},
    make: object = {},
  ) =>
  async (world: World): Promise<Call> => {
    const session = await world.create(make);
    await before(world, session);
    return toCall(method, action, session.sessionToken, body);
  };

export function toCall(method: string, action: string, token: string, body?: object): Call {
  const path = `/hosted/v1/${action}`;
  if (body) return post(path, body, token);
  return { path, init: { method, headers: { authorization: `Bearer ${token}` } } };
}

export const facts =
  (status: string, differences: object = {}) =>
  async (world: World): Promise<object> => ({
    sessionId: expect.any(String) as unknown,
    status,
    // The name of the account is the default for the session.
    merchantName: expect.stringMatching(/./) as unknown,
    verificationMode: 'L1',
    challengeAge: 25,
    faceMatchEnabled: true,
    sandboxMode: true,
    externalUserId: null,
    returnUrl: RETURN_URL,
    cancelUrl: null,
    expiresAt: expect.any(String) as unknown,
    now: await world.now(),
    settledAt: status === 'pending' ? null : await world.now(),
    reason: null,
    presetOutcome: null,
    retries: 0,
    retriesLeft: 2,
    needsRetry: false,
    device: 'first',
    activeDevice: 'first',
    handoffUrl: expect.stringMatching(/\?sessionId=[^&]+&handoffToken=ht1_[^&.]+$/) as unknown,
    ...differences,
  });

/** Sends requests with one of the session's tokens, in order. */
export function ask(token: 'sessionToken' | 'handoffToken', ...actions: readonly string[]) {
  return async (world: World, session: Created): Promise<void> => {
    for (const action of actions) {
      const { path, init } = toCall('POST', action, session[token], {});
      await world.host.send(path, init);
    }
  };
}

export function submitPoor() {
  return async (world: World, { sessionToken }: Created): Promise<void> => {
    const { path, init } = toCall('POST', 'submit', sessionToken, { imageQuality: 'poor' });
    await world.host.send(path, init);
  };
}

export function leaveThen(ms: number) {
  return async (world: World, { sessionToken }: Created): Promise<void> => {
    const { path, init } = toCall('POST', 'leave', sessionToken, {});
    await world.host.send(path, init);
    await world.host.clock.advance(ms);
  };
}
