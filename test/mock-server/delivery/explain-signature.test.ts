import { describe, expect, it } from 'vitest';
import { explainSignature } from '../../../mock-server/send/explain-signature.ts';
import { signBody } from '../../../mock-server/send/signature.ts';

const BODY =
  '{"event":"verification.completed","data":{"sessionId":"s1","note":"caf\\u00e9"},"n":1}';
const SECRETS = [
  { endpointId: 'e1', label: 'https://a.example/', secret: 'whsec_first secret' },
  { endpointId: 'e2', label: 'https://b.example/', secret: 'second secret' },
];
const SENT = { endpointId: 'e1', label: 'https://a.example/', body: BODY };
const sign = (body: string, secret = 'whsec_first secret') =>
  signBody(new TextEncoder().encode(body), secret);
const toBase64 = (header: string): string =>
  `sha256=${Buffer.from(header.slice(7), 'hex').toString('base64')}`;

describe('explainSignature()', () => {
  const explain = async (
    change: {
      body?: string;
      header?: (value: string) => string;
      headers?: (value: string) => Record<string, string>;
      secret?: string;
      signedWith?: string;
    } = {},
  ) => {
    const { body = BODY, header = (value) => value, secret, signedWith } = change;
    const value = header(await sign(BODY, signedWith));
    const headers = change.headers?.(value) ?? { 'X-OfAge-Signature': value };
    const sent = signedWith === undefined ? SENT : undefined;
    return explainSignature({ body, headers, secret }, { secrets: SECRETS, sent });
  };

  it('reports no findings for a valid signature, and names the endpoint of the secret', async () => {
    expect(await explain({ signedWith: 'second secret' })).toEqual({
      isValid: true,
      signedBy: { endpointId: 'e2', label: 'https://b.example/' },
      findings: [],
    });
    expect(await explain({ secret: 'whsec_first secret' })).toMatchObject({ isValid: true });
  });

  it.each<[string, Parameters<typeof explain>[0], string[], string | null]>([
    ['a missing header', { headers: () => ({}) }, ['header_missing'], null],
    [
      'the signature in a different header',
      { headers: (value) => ({ 'x-hub-signature-256': value }) },
      ['header_missing'],
      null,
    ],
    ['a missing prefix', { header: (value) => value.slice(7) }, ['header_malformed'], 'e1'],
    [
      'a prefix in upper case',
      { header: (value) => value.replace('sha', 'SHA') },
      ['header_malformed'],
      'e1',
    ],
    [
      'a digest in upper case',
      { header: (value) => `sha256=${value.slice(7).toUpperCase()}` },
      ['header_malformed'],
      'e1',
    ],
    ['a digest in base64', { header: toBase64 }, ['header_malformed'], null],
    ['a truncated digest', { header: (value) => value.slice(0, 40) }, ['header_malformed'], null],
    ['a digest that is too long', { header: (value) => `${value}0` }, ['header_malformed'], null],
    [
      'white space around the header',
      { header: (value) => ` ${value}\n` },
      ['header_malformed'],
      'e1',
    ],
    ['quotes around the header', { header: (value) => `"${value}"` }, ['header_malformed'], 'e1'],
    ['the secret of a different endpoint', { secret: 'second secret' }, ['wrong_secret'], 'e1'],
    ['a mistyped secret', { secret: 'whsec_frist secret' }, ['wrong_secret'], 'e1'],
    ['a secret with a line break', { secret: 'whsec_first secret\n' }, ['secret_malformed'], 'e1'],
    ['a secret in single quotes', { secret: "'whsec_first secret'" }, ['secret_malformed'], 'e1'],
    ['a secret without its prefix', { secret: 'first secret' }, ['secret_malformed'], 'e1'],
    [
      'a body that was parsed and serialised again',
      { body: JSON.stringify(JSON.parse(BODY)) },
      ['body_reformatted'],
      'e1',
    ],
    [
      'a body whose keys were sorted',
      { body: '{"data":{"note":"café","sessionId":"s1"},"event":"verification.completed","n":1}' },
      ['body_reformatted'],
      'e1',
    ],
    [
      'a body with extra white space',
      { body: BODY.replaceAll(',', ', ') },
      ['body_reformatted'],
      'e1',
    ],
    ['a body with a line break', { body: `${BODY}\n` }, ['body_reformatted'], 'e1'],
    ['a body that was changed', { body: BODY.replace('"n":1', '"n":2') }, ['body_changed'], 'e1'],
    ['a body that is not JSON', { body: 'a=1&b=2' }, ['body_changed'], 'e1'],
    [
      'a body in another encoding',
      { body: BODY.replace('s1', '\u{fffd}') },
      ['body_changed'],
      'e1',
    ],
    ['a body nested too deeply', { body: '['.repeat(100_000) }, ['body_changed'], 'e1'],
    ['an empty body', { body: '' }, ['body_empty'], 'e1'],
    ['an empty body that is not stored', { body: '', signedWith: 'x' }, ['body_empty'], null],
    ['an unknown secret', { signedWith: 'third secret' }, ['unknown_secret'], null],
    [
      'several mistakes at once',
      { header: (value) => ` ${value.slice(7)}`, body: `${BODY} `, secret: '"first secret"\n' },
      ['header_malformed', 'secret_malformed', 'body_reformatted'],
      'e1',
    ],
  ])('recognises %s', async (_name, change, codes, signer) => {
    const { isValid, findings, signedBy } = await explain(change);
    expect(isValid).toBe(false);
    expect(findings.map(({ code }) => code)).toEqual(codes);
    expect(signedBy?.endpointId ?? null).toBe(signer);
    for (const { message } of findings) expect(message).toMatch(/^[A-Z].*[^.]$/);
  });

  it('accepts a signature that was made with the given secret, even if no endpoint has that secret', async () => {
    expect(await explain({ signedWith: 'mine', secret: 'mine' })).toMatchObject({
      isValid: true,
      signedBy: { endpointId: null },
    });
  });

  it('recognises a body that was serialised again even if the sent body is unknown', async () => {
    const compact = '{"a":1,"b":[true]}';
    const headers = { 'x-ofage-signature': await sign(compact) };
    const received = { body: '{ "a": 1, "b": [ true ] }\n', headers };
    expect(await explainSignature(received, { secrets: SECRETS, sent: undefined })).toMatchObject({
      isValid: false,
      signedBy: { endpointId: 'e1' },
      findings: [{ code: 'body_reformatted' }],
    });
  });
});
