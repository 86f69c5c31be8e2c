import { SIGNATURE_HEADER } from '../../shared/explainer/explain.ts';
import { toCount } from '../../../mock-server/words/counts.ts';
import { toForgedMessage } from '../forged-message.ts';
import type { KeptWebhook } from '../../demo-backend/lab-plan.ts';
import { signatureOf, toBytes } from '../webhook/behaviours.ts';
import type { Attack } from './attack.ts';
import {
  type Exchange,
  type World,
  askAccess,
  bringSession,
  toReport,
  tryAtBoth,
} from './world.ts';

const DECIDES = {
  file: 'verification.ts',
  from: 'const result = await client.validateOnce(sessionId)',
  to: "by: 'validate' }",
} as const;

const VALIDATES_CARELESSLY = {
  file: 'careless-shop.ts',
  from: "answer.status !== 'failed'",
  to: 'await letIn',
} as const;

const forgedReturn: Attack = {
  id: 'forged-return',
  title: 'Forged return',
  story: 'Mallory starts a check, skips it and opens the return URL with status=verified.',
  why: 'The shop takes only the session ID from the return URL and calls validate. The session is still pending.',
  code: {
    shop: DECIDES,
    careless: {
      file: 'careless-shop.ts',
      from: "const { sessionId = '', status } = c.req.query()",
      to: 'await letIn',
    },
  },
  async run(world) {
    const { mallory } = world;
    const { sessionId } = await world.check(mallory, null);
    const query = `sessionId=${sessionId}&status=verified&timestamp=${Date.now()}`;
    const shop = [
      await bringSession(world, sessionId, 'Mallory opens the return URL with status=verified'),
    ];
    const careless = [
      await world.shop('Mallory opens the address', `careless/return?${query}`, {
        method: 'GET',
        as: mallory,
      }),
    ];
    return toReport(world, { shop, careless });
  },
};

const forgedMessage: Attack = {
  id: 'forged-message',
  title: 'Forged message',
  story:
    'While the check is open in its window, a frame in the shop’s page, such as an advertisement, posts the message that the hosted page would post.',
  why: 'The SDK accepts a message only from the window that it opened, from the origin of the hosted page and about this session. Even if it accepted the message, the page would only pass on the session ID, and the server would call validate.',
  code: {
    shop: DECIDES,
    careless: {
      file: 'careless-shop.ts',
      from: 'const { type, sessionId, status } = await c.req.json()',
      to: 'await letIn',
    },
  },
  needsWindow: true,
  async run(world) {
    // The window must open before the first await, because the browser allows it only during the click.
    const check = world.openCheck?.();
    if (!check) throw new Error('This attack needs a browser window');
    try {
      const sessionId = await check.sessionId;
      const received = await check.forge(toForgedMessage(sessionId));
      const shop = [await bringSession(world, sessionId, 'Mallory sends the session ID anyway')];
      const careless = [
        await world.shop('The page forwards the message', 'careless/message', {
          as: world.mallory,
          body: Object(received.data) as object,
        }),
      ];
      const report = await toReport(world, { shop, careless });
      const sdkResult = check.result();
      const sdkOutcome =
        sdkResult === null
          ? `The SDK ignored the message (from ${received.origin}) and is still waiting.`
          : `verify() returned ${JSON.stringify(sdkResult)}.`;
      const { isIn, outcome } = report.shop;
      const isFooled = isIn || sdkResult !== null;
      return {
        ...report,
        shop: { ...report.shop, isIn: isFooled, outcome: `${sdkOutcome} ${outcome}` },
      };
    } finally {
      check.end();
    }
  },
};

const secondValidate: Attack = {
  id: 'second-validate',
  title: 'Second validate',
  story:
    'Anna passed the check and has access. She shares her session ID, and Mallory uses it again.',
  why: 'Validate returns a result only once, and the shop stores it with Anna’s account. Mallory is another customer, and session_already_used is an error.',
  code: { shop: DECIDES, careless: VALIDATES_CARELESSLY },
  run: (world) =>
    tryAtBoth(world, async (prefix) => {
      const anna = await world.signIn();
      const { sessionId } = await world.check(anna, 'verified', prefix);
      const isAnna = { as: anna, prefix };
      return [
        await bringSession(world, sessionId, 'Anna comes back from the check', isAnna),
        await bringSession(world, sessionId, 'Mallory sends the same session ID', { prefix }),
      ];
    }),
};

const sessionToken: Attack = {
  id: 'session-token',
  title: 'Session token to validate',
  story:
    'Mallory sees the sessionToken of her own check in the address bar and sends it instead of the session ID.',
  why: 'The shop passes on only the field that it knows, not the whole body. Validate rejects a sessionToken.',
  code: {
    shop: { file: 'app.ts', from: 'const { sessionId } = await readJson', to: 'await decide' },
    careless: {
      file: 'careless-shop.ts',
      from: "Mistake: the browser's input is passed on",
      to: 'await letIn',
    },
  },
  async run(world) {
    const { sessionToken } = await world.check(world.mallory, null);
    return tryAtBoth(world, async (prefix) => [
      await world.shop('Mallory sends the token', `${prefix}verification`, {
        as: world.mallory,
        body: { sessionToken },
      }),
    ]);
  },
};

const wrongTenant: Attack = {
  id: 'wrong-tenant',
  title: 'Session of another account',
  story:
    'Mallory opens her own account with the service, passes a check there and uses that session ID in this shop.',
  why: 'Validate returns only sessions of the account that owns the secret key. The shop treats every error as a refusal.',
  code: { shop: DECIDES, careless: VALIDATES_CARELESSLY },
  async run(world) {
    const publishableKey = await toForeignKey(world);
    const created = await world.api('Mallory’s own account creates a session', 'sessions/create', {
      headers: { authorization: `Bearer ${publishableKey}` },
      body: { returnUrl: world.returnUrl, externalUserId: world.mallory.customerId },
    });
    const { sessionId } = Object(created.answer) as { sessionId: string };
    await world.client.settle(sessionId, 'verified');
    return tryAtBoth(world, async (prefix) => [
      created,
      await bringSession(world, sessionId, 'Mallory sends the session ID', { prefix }),
    ]);
  },
};

const wrongCustomer: Attack = {
  id: 'wrong-customer',
  title: 'Someone else’s session',
  story:
    'Anna passed, and her return URL is in a shared browser history. Mallory uses its session ID first.',
  why: 'The result names the customer for whom the session was created. The shop compares that with the customer who is signed in.',
  code: { shop: DECIDES, careless: VALIDATES_CARELESSLY },
  run: (world) =>
    tryAtBoth(world, async (prefix) => {
      const anna = await world.signIn();
      const { sessionId } = await world.check(anna, 'verified', prefix);
      return [await bringSession(world, sessionId, 'Mallory sends Anna’s session ID', { prefix })];
    }),
};

const FOREIGN = 'Mallory Ltd';

async function toForeignKey({ client, returnUrl }: World): Promise<string> {
  const known = (await client.tenants()).find(({ name }) => name === FOREIGN);
  const { hostname } = new URL(returnUrl);
  const { id } =
    known ?? (await client.createTenant({ name: FOREIGN, allowedDomains: [hostname] }));
  const [pair] = await client.keyPairs(id);
  const { publishable } = pair ?? (await client.createKeyPair(id));
  return publishable.value;
}

const replayedWebhook: Attack = {
  id: 'replayed-webhook',
  title: 'Replayed webhook',
  story:
    'Mallory found a webhook with its signature in a log and posts it again. Each webhook is worth a voucher.',
  why: 'The signature is valid, so it does not help here. The shop stores each eventId that it has processed, and accepts the second copy without repeating the work.',
  code: {
    shop: { file: 'webhooks.ts', from: 'async claim(', to: 'return claim' },
    careless: {
      file: 'careless-shop.ts',
      from: 'Mistake: runs for every delivery',
      to: '}));',
    },
  },
  async run(world) {
    const { sessionId } = await world.check(world.mallory, 'verified');
    const webhook = await world.captured(sessionId);
    const replayed = await post(world, 'Mallory posts it again', 'webhooks/ofage', webhook);
    const delivered = await post(world, 'The delivery', 'careless/webhooks', webhook);
    const again = await post(world, 'Mallory posts it again', 'careless/webhooks', webhook);
    const access = await askAccess(world);
    const times = toList(access.answer, 'webhooks').filter(
      ({ eventId, duplicate }) => eventId === webhook.eventId && duplicate === false,
    ).length;
    const careless = await askAccess(world, 'careless/');
    const { vouchers } = Object(careless.answer) as { vouchers: number };
    return {
      shop: {
        isIn: times > 1,
        outcome: `The event counted ${times === 1 ? 'once' : `${times} times`}.`,
        exchanges: [replayed, access],
      },
      careless: {
        isIn: vouchers > 1,
        outcome: `Mallory has ${toCount(vouchers, 'voucher')} for one check.`,
        exchanges: [delivered, again, careless],
      },
    };
  },
};

const tamperedWebhook: Attack = {
  id: 'tampered-webhook',
  title: 'Tampered webhook',
  story:
    'Mallory takes the webhook of Anna, who passed, and replaces Anna’s customer ID with her own.',
  why: 'The signature covers the raw bytes. It no longer matches once a single byte has changed, and only the owner of the secret can create a new one.',
  code: {
    shop: {
      file: 'webhooks.ts',
      from: 'return createWebhookHandler({',
      to: 'store: toWebhookStore',
    },
    careless: {
      file: 'careless-shop.ts',
      from: 'const { event, eventId, data } = await c.req.json()',
      to: 'await letIn',
    },
  },
  async run(world) {
    const anna = await world.signIn();
    const { sessionId } = await world.check(anna, 'verified');
    const webhook = await world.captured(sessionId);
    const { text } = toBytes(webhook.bodyBase64);
    const forged = text.replaceAll(anna.customerId, world.mallory.customerId);
    const title = 'Mallory posts it, changed';
    const shop = [await post(world, title, 'webhooks/ofage', webhook, forged)];
    const careless = [await post(world, title, 'careless/webhooks', webhook, forged)];
    return toReport(world, { shop, careless });
  },
};

/**
 * Posts a webhook that Mallory has intercepted, with its original signature. `body` replaces the original
 * body.
 */
function post(
  world: World,
  title: string,
  path: string,
  webhook: KeptWebhook,
  body = toBytes(webhook.bodyBase64).text,
): Promise<Exchange> {
  const headers = { [SIGNATURE_HEADER]: signatureOf(webhook) ?? '' };
  return world.shop(title, path, { headers, body });
}

function toList(answer: unknown, field: string): Record<string, unknown>[] {
  const value: unknown = (Object(answer) as Record<string, unknown>)[field];
  return Array.isArray(value) ? value.map((item) => Object(item) as Record<string, unknown>) : [];
}

/** Every attack of the lab. Each runs over HTTP against the demo shop and the careless one. */
export const ATTACKS: readonly Attack[] = [
  forgedReturn,
  forgedMessage,
  replayedWebhook,
  tamperedWebhook,
  secondValidate,
  sessionToken,
  wrongTenant,
  wrongCustomer,
];
