import type { CreatedSession } from '../../../conformance/driver.ts';
import { bearer, post, type Call } from '../../../conformance/exchange.ts';
import { pattern, TEXT } from '../../../conformance/matchers.ts';
import type { World } from '../../../conformance/world.ts';

/**
 * Returns a function that creates a session, calls `before`, and builds a request of the session's page.
 */
export const page =
  (
    method: 'GET' | 'POST',
    action: string,
    body?: object,
    before: (world: World, session: CreatedSession) => Promise<unknown> = async () => {},
    fields: object = {},
  ) =>
  async (world: World): Promise<Call> => {
    const session = await world.create(fields);
    await before(world, session);
    return toCall(method, action, session.sessionToken, body);
  };

export function toCall(method: string, action: string, token?: string, body?: object): Call {
  const path = `/hosted/v1/${action}`;
  if (body) return { ...post(path, body, token), isFromOrigin: true };
  return { method, path, headers: bearer(token), isFromOrigin: true };
}

/**
 * Returns a function that builds the expected session data of the hosted page, changed by `differences`.
 */
export const facts =
  (status: string, differences: object = {}) =>
  async (world: World): Promise<object> => ({
    sessionId: TEXT,
    status,
    // The default is the name of the account.
    merchantName: TEXT,
    verificationMode: 'L1',
    challengeAge: 25,
    faceMatchEnabled: true,
    sandboxMode: true,
    externalUserId: null,
    returnUrl: world.account.returnUrl,
    cancelUrl: null,
    expiresAt: TEXT,
    now: world.at(await world.now()),
    settledAt: status === 'pending' ? null : world.at(await world.now()),
    reason: null,
    presetOutcome: null,
    retries: 0,
    retriesLeft: 2,
    needsRetry: false,
    device: 'first',
    activeDevice: 'first',
    handoffUrl: pattern(
      'a URL with sessionId and handoffToken',
      /\?sessionId=[^&]+&handoffToken=ht1_[^&.]+$/,
    ),
    ...differences,
  });

/** Returns a function that sends requests with one of a session's tokens, one after the other. */
export function ask(token: 'sessionToken' | 'handoffToken', ...actions: readonly string[]) {
  return async (world: World, session: CreatedSession): Promise<void> => {
    for (const action of actions) await world.send(toCall('POST', action, session[token], {}));
  };
}

export function submitPoor() {
  return async (world: World, { sessionToken }: CreatedSession): Promise<void> => {
    await world.send(toCall('POST', 'submit', sessionToken, { imageQuality: 'poor' }));
  };
}

export function leaveThen(ms: number) {
  return async (world: World, { sessionToken }: CreatedSession): Promise<void> => {
    await world.send(toCall('POST', 'leave', sessionToken, {}));
    await world.driver.advance(ms);
  };
}
