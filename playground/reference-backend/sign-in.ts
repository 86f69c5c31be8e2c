import { createMiddleware } from 'hono/factory';

/**
 * A stand-in for the login of a real shop. It tells the server which customer sends a request. A session
 * must belong to the signed-in customer, so a shop without a login could not check this.
 */
export interface SignIn {
  issue(customerId: string): Promise<string>;
  /**
   * Returns the customer of an `Authorization: Bearer` header, or `null` if its token is missing or
   * invalid.
   */
  customerOf(authorization: string | undefined): Promise<string | null>;
}

/** Rejects requests without a valid token, and passes on the customer's id. */
export function requireSignIn(signIn: SignIn) {
  return createMiddleware<{ Variables: { customerId: string } }>(async (c, next) => {
    const customerId = await signIn.customerOf(c.req.header('authorization'));
    if (customerId === null) return c.json({ message: 'Sign in first' }, 401);
    c.set('customerId', customerId);
    return next();
  });
}

export function createSignIn(secret: string): SignIn {
  const key = crypto.subtle.importKey(
    'raw',
    encode(`shop sign-in ${secret}`),
    { name: 'HMAC', hash: 'SHA-256' },
    false,
    ['sign', 'verify'],
  );
  return {
    async issue(customerId) {
      const mac = await crypto.subtle.sign('HMAC', await key, encode(customerId));
      return `${customerId}.${toHex(new Uint8Array(mac))}`;
    },
    async customerOf(authorization) {
      const match = /^Bearer (.+)\.([0-9a-f]{64})$/.exec(authorization ?? '');
      const [, customerId, hex] = match ?? [];
      if (customerId === undefined || hex === undefined) return null;
      // subtle.verify compares in constant time, which === does not.
      const isOurs = await crypto.subtle.verify(
        'HMAC',
        await key,
        fromHex(hex),
        encode(customerId),
      );
      return isOurs ? customerId : null;
    },
  };
}

const encode = (text: string) => new TextEncoder().encode(text);

const toHex = (bytes: Uint8Array) =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');

const fromHex = (hex: string) =>
  Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
