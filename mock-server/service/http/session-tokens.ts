import { toHex, webCrypto } from '../../store/random.ts';
import type { Device } from '../../store/rows.ts';

/** The tokens of a new session: one for the hosted page and one for a second device. */
export interface SessionTokens {
  readonly sessionToken: string;
  readonly handoffToken: string;
}

/** The holder of a token: its session, and the device that the token was created for. */
export interface TokenHolder extends SessionTokens {
  readonly sessionId: string;
  readonly device: Device;
}

export interface TokenSigner {
  sign(sessionId: string): Promise<SessionTokens>;
  /** Returns null for a token that this service did not create. */
  verify(token: string): Promise<TokenHolder | null>;
}

/** Computes an HMAC with SHA-256 under a text key. A host may provide its own. */
export type Mac = (key: string, text: string) => Uint8Array | Promise<Uint8Array>;

/**
 * Creates a signer for tokens of the form `st1_<session><signature>`. The signature means that no token has
 * to be stored. One HMAC yields both tokens of a session, 128 bits each. Tokens are opaque, and their
 * format may change with the version in the prefix.
 * @param secret Returns the current key, which loading a snapshot replaces.
 */
export function createTokenSigner(secret: () => string, mac: Mac = createWebMac()): TokenSigner {
  async function sign(sessionId: string): Promise<SessionTokens> {
    const signature = await mac(secret(), `session:1:${sessionId}`);
    const subject = sessionId.replaceAll('-', '');
    return {
      sessionToken: `st1_${subject}${toHex(signature.subarray(0, 16))}`,
      handoffToken: `ht1_${subject}${toHex(signature.subarray(16))}`,
    };
  }

  return {
    sign,
    async verify(token) {
      const [, kind, hex = ''] = /^(st|ht)1_([0-9a-f]{32})[0-9a-f]{32}$/.exec(token) ?? [];
      if (kind === undefined) return null;
      const sessionId = hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
      const tokens = await sign(sessionId);
      const device = kind === 'st' ? 'first' : 'second';
      const expected = device === 'first' ? tokens.sessionToken : tokens.handoffToken;
      return isEqual(token, expected) ? { ...tokens, sessionId, device } : null;
    },
  };
}

/** Creates an HMAC with Web Crypto. Caches the last imported key. */
function createWebMac(): Mac {
  const encoder = new TextEncoder();
  let known: { readonly text: string; readonly key: ReturnType<typeof importKey> } | undefined;
  return async (text, message) => {
    if (known?.text !== text) known = { text, key: importKey(encoder.encode(text)) };
    const bytes = encoder.encode(message);
    return new Uint8Array(await webCrypto().sign('HMAC', await known.key, bytes));
  };
}

function importKey(secret: Uint8Array<ArrayBuffer>) {
  return webCrypto().importKey('raw', secret, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
}

/** Compares in a time that does not reveal where two texts differ. */
function isEqual(a: string, b: string): boolean {
  let difference = a.length ^ b.length;
  for (let index = 0; index < b.length; index += 1) {
    difference |= a.charCodeAt(index) ^ b.charCodeAt(index);
  }
  return difference === 0;
}

/** Returns the hosted page's URL for the holder of a token. */
export function toPageUrl(
  verifyUrl: string,
  parameters:
    | { readonly sessionId: string; readonly sessionToken: string }
    | { readonly sessionId: string; readonly handoffToken: string },
): string {
  const pairs = Object.entries(parameters).map(([name, value]) => `${name}=${value}`);
  return `${verifyUrl}${verifyUrl.includes('?') ? '&' : '?'}${pairs.join('&')}`;
}
