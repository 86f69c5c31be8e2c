import { describe, expect, it } from 'vitest';
import { explainSignature } from '../../../mock-server/send/explain-signature.ts';
import { signBody } from '../../../mock-server/send/signature.ts';
import { answered, createScene, HOOK, type SentWebhook } from './scene.ts';

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
    [
      'a prefix in upper case',
      { header: (value) => value.replace('sha', 'SHA') },
      ['header_malformed'],
      'e1',
    ],
    ['a digest in base64', { header: toBase64 }, ['header_malformed'], null],
    ['a digest that is too long', { header: (value) => `${value}0` }, ['header_malformed'], null],
    [
      'white space around the header',
      { header: (value) => ` ${value}\n` },
      ['header_malformed'],
      'e1',
    ],
    ['the secret of a different endpoint', { secret: 'second secret' }, ['wrong_secret'], 'e1'],
    ['a secret with a line break', { secret: 'whsec_first secret\n' }, ['secret_malformed'], 'e1'],
    ['a secret without its prefix', { secret: 'first secret' }, ['secret_malformed'], 'e1'],
    [
      'a body that was parsed and serialised again',
      { body: JSON.stringify(JSON.parse(BODY)) },
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
});

const OLD = 'whsec_the_first_secret';
const NEW = 'whsec_the_second_secret';
const OTHER_HOOK = 'https://other.example/hook';
const OTHER = 'whsec_of_the_other_endpoint';

/** Creates two endpoints. The cases are about the first one. */
async function createExplainScene() {
  const scene = await createScene(() => answered(204), {
    endpoints: [
      { url: HOOK, secret: OLD, events: ['verification.completed'] },
      { url: OTHER_HOOK, secret: OTHER, events: ['verification.failed'] },
    ],
  });
  const { control, endpointId, sent, complete, advance } = scene;
  return {
    ...scene,
    async deliver(): Promise<SentWebhook> {
      await complete();
      await advance(0);
      return sent.at(-1)!;
    },
    async test(): Promise<SentWebhook> {
      await control.testEndpoint(endpointId);
      return sent.at(-1)!;
    },
    rotate: () => control.updateEndpoint(endpointId, { secret: NEW }),
    remove: () => control.deleteEndpoint(endpointId),
  };
}

type Scene = Awaited<ReturnType<typeof createExplainScene>>;

interface Case {
  readonly why: string;
  /** Sends the webhook that the developer examines. */
  readonly make: (scene: Scene) => Promise<SentWebhook>;
  readonly secret?: string;
  readonly body?: (sent: string) => string;
  readonly codes: readonly string[];
  readonly isValid?: boolean;
  /** The expected message of the first finding. */
  readonly message?: string;
}

const afterRotation = async ({ deliver, rotate }: Scene): Promise<SentWebhook> => {
  await deliver();
  await rotate();
  return deliver();
};
const beforeRotation = async ({ deliver, rotate }: Scene): Promise<SentWebhook> => {
  const sent = await deliver();
  await rotate();
  return sent;
};
const beforeDeletion = async ({ deliver, remove }: Scene): Promise<SentWebhook> => {
  const sent = await deliver();
  await remove();
  return sent;
};
const delivered = ({ deliver }: Scene): Promise<SentWebhook> => deliver();
const tested = ({ test }: Scene): Promise<SentWebhook> => test();

const MISTYPED = `The secret you gave is not the one of ${HOOK}, which signed this webhook. It may be mistyped, cut short or an old one`;

const CASES: readonly Case[] = [
  {
    why: 'the secret from before a rotation',
    make: afterRotation,
    secret: OLD,
    codes: ['wrong_secret'],
    message: MISTYPED,
  },
  {
    why: 'a webhook from before the rotation, verified with the new secret',
    make: beforeRotation,
    secret: NEW,
    codes: ['secret_replaced'],
    message: `This webhook was signed with an earlier secret of ${HOOK}, before the secret was changed or the endpoint was deleted`,
  },
  {
    why: 'a webhook from before the rotation, verified with the secret of that time',
    make: beforeRotation,
    secret: OLD,
    codes: [],
    isValid: true,
  },
  {
    why: 'a webhook of a deleted endpoint, verified with its secret',
    make: beforeDeletion,
    secret: OLD,
    codes: [],
    isValid: true,
  },
  {
    why: 'the secret of a different endpoint',
    make: delivered,
    secret: OTHER,
    codes: ['wrong_secret'],
    message: `The secret you gave belongs to ${OTHER_HOOK}, but this webhook was signed with the secret of ${HOOK}`,
  },
  {
    why: 'a test event with extra white space, although its body is not stored',
    make: tested,
    secret: OLD,
    body: (sent) => JSON.stringify(JSON.parse(sent), null, 2),
    codes: ['body_reformatted'],
  },
  {
    why: 'a test event from before a rotation',
    make: async ({ test, rotate }) => {
      const sent = await test();
      await rotate();
      return sent;
    },
    secret: NEW,
    codes: ['unknown_secret'],
  },
];

describe('explainWebhook(), for a webhook that the service sent', () => {
  it.each(CASES)(
    'explains $why',
    async ({ make, secret, body, codes, isValid = false, message }) => {
      const scene = await createExplainScene();
      const sent = await make(scene);
      const explanation = await scene.control.explainWebhook({
        body: body?.(sent.body) ?? sent.body,
        headers: sent.headers,
        ...(secret !== undefined && { secret }),
      });
      expect(explanation.findings.map(({ code }) => code)).toEqual(codes);
      expect(explanation.isValid).toBe(isValid);
      if (message !== undefined) expect(explanation.findings[0]?.message).toBe(message);
      for (const finding of explanation.findings) expect(finding.message).toMatch(/^[A-Z].*[^.]$/);
    },
  );

  it('names the legacy webhook as such, even after it was deleted', async () => {
    const scene = await createScene(() => answered(204), { endpoints: [] });
    const { control, tenantId, complete, advance, sent } = scene;
    await control.putLegacyWebhook(tenantId, { url: HOOK, secret: OLD });
    await complete();
    await advance(0);
    const { body, headers } = sent[0]!;
    const signedBy = { endpointId: 'legacy', label: HOOK };
    expect(await control.explainWebhook({ body, headers })).toEqual({
      isValid: true,
      signedBy,
      findings: [],
    });
    await control.deleteLegacyWebhook(tenantId);
    expect(await control.explainWebhook({ body, headers })).toMatchObject({
      isValid: false,
      signedBy,
      findings: [{ code: 'secret_replaced' }],
    });
  });

  it('compares with the legacy webhook of the account that sent it', async () => {
    const scene = await createScene(() => answered(204), { endpoints: [] });
    const { control, tenantId, advance, sent } = scene;
    const other = await control.createTenant();
    await control.createKeyPair(other.id);
    await control.putLegacyWebhook(tenantId, { url: OTHER_HOOK, secret: OTHER });
    await control.putLegacyWebhook(other.id, { url: HOOK, secret: OLD });
    await control.trigger({ name: 'verified', tenantId: other.id });
    await advance(0);
    const { body, headers } = sent[0]!;
    expect(await control.explainWebhook({ body, headers })).toEqual({
      isValid: true,
      signedBy: { endpointId: 'legacy', label: HOOK },
      findings: [],
    });
  });

  it.each(['x-ofage-signature', 'X-OfAge-Signature'])(
    'takes the given signature, although the headers have another %s',
    async (name) => {
      const scene = await createExplainScene();
      const { body, headers } = await scene.deliver();
      const signature = headers['x-ofage-signature']!;
      const stale = { [name]: `sha256=${'0'.repeat(64)}` };
      expect(await scene.control.explainWebhook({ body, headers: stale, signature })).toMatchObject(
        { isValid: true },
      );
    },
  );

  it('reveals nothing about a different account', async () => {
    const scene = await createExplainScene();
    const { id: tenantId } = await scene.control.createTenant();
    const { body, headers } = await scene.deliver();
    expect(await scene.control.explainWebhook({ body, headers, tenantId })).toMatchObject({
      signedBy: null,
      findings: [{ code: 'unknown_secret' }],
    });
  });
});
