import { SIGNATURE_HEADER } from './signature.ts';
import { toFinding, type Finding } from './signature-findings.ts';

/** The signature from the headers, and the findings about its form. */
export interface SignatureReading {
  /**
   * The signature in its normal form: `sha256=` and the digest in lower-case hex. Null if there is none or
   * it is malformed.
   */
  readonly signature: string | null;
  readonly findings: readonly Finding[];
}

/** Reads the signature from headers whose names may be in any case. */
export function readSignature(headers: Readonly<Record<string, string>>): SignatureReading {
  const entries = Object.entries(headers).map(
    ([name, value]) => [name.toLowerCase(), value] as const,
  );
  const own = entries.find(([name]) => name === SIGNATURE_HEADER);
  const found = own ?? entries.find(([name]) => name.includes('signature'));
  if (!found) return { signature: null, findings: [toFinding('header_missing')] };
  const findings = own ? [] : [toFinding('wrong_header')];
  const digest = readDigest(found[1], findings);
  return { signature: digest === null ? null : `sha256=${digest}`, findings };
}

/** Returns the digest as lower-case hex, or null if the text is not a digest. */
function readDigest(value: string, findings: Finding[]): string | null {
  const bare = value.replace(/^[\s"']+|[\s"']+$/g, '');
  if (bare !== value) findings.push(toFinding('header_whitespace'));
  const prefix = /^sha256=/i.exec(bare)?.[0];
  if (prefix === undefined) findings.push(toFinding('prefix_missing'));
  else if (prefix !== 'sha256=') findings.push(toFinding('prefix_case'));
  const digest = bare.slice(prefix?.length ?? 0);
  if (/^[0-9a-f]{64}$/.test(digest)) return digest;
  if (/^[0-9a-f]{64}$/i.test(digest)) {
    findings.push(toFinding('digest_upper_case'));
    return digest.toLowerCase();
  }
  if (/^[A-Za-z0-9+/_-]{43}=?$/.test(digest)) {
    findings.push(toFinding('digest_base64'));
    const text = atob(digest.replaceAll('-', '+').replaceAll('_', '/'));
    return Array.from(text, (char) => char.charCodeAt(0).toString(16).padStart(2, '0')).join('');
  }
  findings.push(toFinding('digest_malformed'));
  return null;
}
