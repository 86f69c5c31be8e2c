import { forEach, type Check } from '../check.ts';
import type { ReceivedWebhook } from '../inbox.ts';
import { ensure } from '../outcome.ts';
import type { World } from '../world.ts';
import { LIFETIME_MS } from './bodies.ts';
import { defineChecks, type CheckRow } from './define.ts';
import { deliver, failOnce, CAP_MS, SECRET, verify } from './deliver.ts';

const HEADER = 'x-ofage-signature';

/**
 * Computes the signature of a body: `sha256=`, and the HMAC with SHA-256 over its bytes as lower-case hex.
 */
async function signBytes(secret: string, bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const encoded = new TextEncoder().encode(secret);
  const key = await crypto.subtle.importKey('raw', encoded, algorithm, false, ['sign']);
  const digest = new Uint8Array(await crypto.subtle.sign('HMAC', key, bytes));
  return `sha256=${Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}

/** Checks that a webhook is signed with the secret, over its exact bytes. */
export async function expectSignature(
  { headers, bytes, body }: ReceivedWebhook,
  secret: string,
): Promise<void> {
  const actual = headers.get(HEADER);
  const event = body.event ?? 'the webhook';
  ensure(actual !== null, `the header ${HEADER} on ${event}`, 'no such header');
  const expected = await signBytes(secret, bytes);
  if (actual === expected) return;
  const reserialized = new TextEncoder().encode(JSON.stringify(body));
  const isReserialized = actual === (await signBytes(secret, reserialized));
  ensure(
    false,
    `the signature of ${event} over the raw bytes of its body (${expected})`,
    isReserialized
      ? `${actual}, which is a signature over the parsed and re-serialised JSON`
      : actual,
  );
}

/** Ends a session, and returns its event with the secret of the endpoint, which is null if it is unknown. */
async function receiveOne(
  world: World,
  fields: object = {},
  secret?: string,
): Promise<ReceivedWebhook & { secret: string | null }> {
  const hook = await world.hook(secret === undefined ? {} : { secret });
  await verify(world, fields);
  const [webhook] = await hook.waitForEvent('verification.completed');
  if (webhook === undefined) return world.skip('no webhook arrived');
  return { ...webhook, secret: secret ?? hook.secret };
}

const ROWS: readonly CheckRow[] = [
  {
    id: 'bytes',
    sentence:
      'A webhook is signed with the secret of its endpoint, over the raw bytes of its body, whatever characters it contains',
    needs: ['settle'],
    ...forEach(
      {
        plain: 'anna',
        umlauts: 'käufer-ß-ü',
        emoji: '👩‍🦰',
        quotes: `"\\'\n\t`,
        markup: '</script><!--',
        numbers: '1e400 0.1',
      },
      async (world, externalUserId) => {
        const webhook = await receiveOne(world, { externalUserId });
        if (webhook.secret === null)
          return world.skip('the driver does not know the secret of the endpoint');
        await expectSignature(webhook, webhook.secret);
        const received = webhook.body.data?.['externalUserId'];
        ensure(received === externalUserId, `externalUserId ${externalUserId}`, String(received));
      },
    ),
  },
  {
    id: 'chosen-secret',
    sentence: 'A webhook is signed with exactly the secret that was chosen for the endpoint',
    needs: ['settle'],
    settings: {},
    ...forEach(
      { plain: SECRET, 'spaces at its ends': ` ${SECRET} `, umlauts: `${SECRET}ü` },
      async (world, secret) => expectSignature(await receiveOne(world, {}, secret), secret),
    ),
  },
  {
    id: 'form',
    sentence: 'The signature consists of sha256= and 64 lower-case hexadecimal digits',
    needs: ['settle'],
    async run(world) {
      const { headers, secret } = await receiveOne(world);
      const value = headers.get(HEADER);
      if (secret === null && value === null) return world.skip('the endpoint may have no secret');
      ensure(/^sha256=[0-9a-f]{64}$/.test(value ?? ''), 'sha256= and 64 digits', `${value}`);
    },
  },
  {
    id: 'none',
    section: 'Authentication',
    sentence: 'A webhook to an endpoint without a secret is not signed',
    settings: {},
    async run(world) {
      const hook = await world.hook({ secret: null });
      await world.create();
      const [webhook] = await hook.waitForEvent('session.started');
      const value = webhook?.headers.get(HEADER) ?? null;
      ensure(value === null, `no header ${HEADER}`, String(value));
    },
  },
  {
    id: 'per-endpoint',
    sentence: 'Each webhook is signed with the secret of the endpoint that receives it',
    settings: {},
    async run(world) {
      const first = await world.hook({ secret: SECRET });
      const second = await world.hook({ secret: `${SECRET}_2` });
      await world.create();
      const [one] = await first.waitForEvent('session.started');
      const [two] = await second.waitForEvent('session.started');
      if (one) await expectSignature(one, SECRET);
      if (two) await expectSignature(two, `${SECRET}_2`);
    },
  },
  {
    id: 'every-kind',
    sentence: 'Every kind of event is signed',
    kind: 'slow',
    needs: ['settle', 'advance'],
    settings: {},
    async run(world) {
      const hook = await world.hook({ secret: SECRET });
      for (const status of ['verified', 'failed', 'cancelled'] as const)
        await world.settle(await world.create(), status);
      await world.create();
      await world.driver.advance(LIFETIME_MS);
      await hook.waitForEvent('session.timeout');
      for (const webhook of await hook.quiet()) await expectSignature(webhook, SECRET);
    },
  },
  {
    id: 'content-type',
    section: 'Webhook delivery',
    sentence: 'The Content-Type of a webhook is application/json',
    needs: ['settle'],
    async run(world) {
      const { headers } = await receiveOne(world);
      const type = headers.get('content-type') ?? 'none';
      ensure(/^application\/json(;|$)/.test(type), 'application/json', type);
    },
  },
  {
    id: 'changed-secret',
    sentence: 'After a change of the secret, events are signed with the new one, or not at all',
    needs: ['changeEndpoint'],
    settings: {},
    ...forEach({ another: `${SECRET}_new`, none: null }, async (world, secret) => {
      const hook = await world.hook({ secret: SECRET });
      await world.driver.changeEndpoint(hook.id, { secret });
      await world.create();
      const [webhook] = await hook.waitForEvent('session.started');
      const value = webhook?.headers.get(HEADER) ?? null;
      if (secret === null) ensure(value === null, `no header ${HEADER}`, `${value}`);
      else if (webhook) await expectSignature(webhook, secret);
    }),
  },
  {
    id: 'retry.current-secret',
    sentence: 'A retry is signed with the current secret of the endpoint',
    level: 'reading',
    kind: 'slow',
    needs: ['settle', 'advance', 'changeEndpoint'],
    settings: {},
    async run(world) {
      const hook = await deliver(world, failOnce(), { secret: SECRET });
      const [first] = hook.received();
      if (first) await expectSignature(first, SECRET);
      await world.driver.changeEndpoint(hook.id, { secret: `${SECRET}_new` });
      await world.driver.advance(CAP_MS);
      const [, second] = await hook.waitFor(2);
      if (second) await expectSignature(second, `${SECRET}_new`);
    },
  },
];

export const SIGNATURE_CHECKS: readonly Check[] = defineChecks(
  { section: 'Webhook delivery', prefix: 'webhooks.signature', needs: ['addEndpoint'] },
  ROWS,
);
