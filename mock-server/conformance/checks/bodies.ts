import { CREATE, post, VALIDATE, type Call } from '../exchange.ts';
import { ABSENT, AGE, BOOLEAN, ISO_TIME, Matcher, MODE, pattern, TEXT, UUID } from '../matchers.ts';
import type { World } from '../world.ts';

const OPTIONAL_OBJECT = new Matcher(
  'an object or nothing',
  (value) => value === undefined || (typeof value === 'object' && value !== null),
);

export const LIFETIME_MS = 600_000;

/** Returns a function that builds a create request with a valid returnUrl and `fields`. */
export const create =
  (fields: object = {}, key: (world: World) => string = ({ sk }) => sk) =>
  (world: World): Call =>
    post(CREATE, { returnUrl: world.account.returnUrl, ...fields }, key(world));

export const withPk = ({ pk }: World): string => pk;

/** Returns a function that builds the expected body of a create response, changed by `differences`. */
export const created =
  (differences: object = {}) =>
  async (world: World): Promise<object> => ({
    sessionId: UUID,
    sessionToken: TEXT,
    verifyUrl: pattern(
      'a URL with sessionId and sessionToken',
      /\?(.*&)?sessionId=[^&]+&sessionToken=[^&]+/,
    ),
    expiresAt: world.at((await world.now()) + LIFETIME_MS),
    testMode: false,
    // The settings of an account whose keys were passed to `createKit` are unknown.
    sandboxMode: world.isNewAccount ? true : BOOLEAN,
    externalUserId: null,
    faceMatchEnabled: world.isNewAccount ? true : BOOLEAN,
    handoffToken: TEXT,
    // It is present only if the account is blocked.
    billingBlock: world.isNewAccount ? ABSENT : OPTIONAL_OBJECT,
    ...differences,
  });

/**
 * Returns a function that creates a session, lets `happen` change it, and builds a validate request for it.
 */
export const validateAfter =
  (
    happen: (world: World, session: Awaited<ReturnType<World['create']>>) => unknown = () => {},
    fields: object = {},
  ) =>
  async (world: World): Promise<Call> => {
    const session = await world.create(fields);
    await happen(world, session);
    return post(VALIDATE, { sessionId: session.sessionId }, world.sk);
  };

/** Returns a function that builds the expected body of a validate response, changed by `differences`. */
export const validated =
  (status: string, differences: object = {}) =>
  async (world: World): Promise<object> => ({
    sessionId: UUID,
    merchantId: world.account.tenantId ?? TEXT,
    verified: status === 'verified',
    accessGranted: status === 'verified',
    status,
    verificationMode: world.isNewAccount ? 'L1' : MODE,
    challengeAge: world.isNewAccount ? 25 : AGE,
    faceMatchEnabled: world.isNewAccount ? true : BOOLEAN,
    externalUserId: null,
    testMode: false,
    timestamp: world.isExact ? world.at(await world.now()) : ISO_TIME,
    expiresAt: world.at((await world.now()) + LIFETIME_MS),
    ...differences,
  });
