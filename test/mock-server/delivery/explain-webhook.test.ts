import { describe, expect, it } from 'vitest';
import { answered, createScene, HOOK, type SentWebhook } from './scene.ts';

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
    why: 'the secret from before a rotation, which signed no webhook',
    make: async ({ deliver, rotate }) => {
      await rotate();
      return deliver();
    },
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
    why: 'a webhook from before the secret was removed',
    make: async ({ deliver, control, endpointId }) => {
      const sent = await deliver();
      await control.updateEndpoint(endpointId, { secret: null });
      return sent;
    },
    codes: ['secret_replaced'],
  },
  {
    why: 'a webhook of a deleted endpoint, verified with its secret',
    make: beforeDeletion,
    secret: OLD,
    codes: [],
    isValid: true,
  },
  {
    why: 'a webhook of a deleted endpoint, without a given secret',
    make: beforeDeletion,
    codes: ['secret_replaced'],
  },
  {
    why: 'a webhook of a deleted endpoint, verified with a different endpoint’s secret',
    make: beforeDeletion,
    secret: OTHER,
    codes: ['wrong_secret'],
  },
  {
    why: 'the secret of a different endpoint',
    make: delivered,
    secret: OTHER,
    codes: ['wrong_secret'],
    message: `The secret you gave belongs to ${OTHER_HOOK}, but this webhook was signed with the secret of ${HOOK}`,
  },
  {
    why: 'a changed body from before the rotation',
    make: beforeRotation,
    secret: OLD,
    body: (sent) => sent.replace('"verified":true', '"verified":false'),
    codes: ['body_changed'],
  },
  {
    why: 'the header of a different webhook',
    make: async ({ deliver }) => {
      const { body } = await deliver();
      return { ...(await deliver()), body };
    },
    secret: OLD,
    codes: ['body_changed'],
  },
  { why: 'a test event', make: tested, secret: OLD, codes: [], isValid: true },
  {
    why: 'a test event with extra white space',
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
  {
    why: 'a test event after a rotation, verified with the old secret',
    make: async ({ test, rotate }) => {
      await test();
      await rotate();
      return test();
    },
    secret: OLD,
    codes: ['wrong_secret'],
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
