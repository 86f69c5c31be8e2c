import type { Attack, Side } from './attack.ts';
import type { Exchange } from './exchange.ts';
import type { KeptWebhook } from '../../merchant-backend/lab-plan.ts';
import type { Customer, World } from './world.ts';

const DECIDES = {
  file: 'verification.ts',
  from: 'const result = (await store.verifications.get(sessionId))',
  to: "by: 'validate' }",
} as const;

const VALIDATES_CARELESSLY = {
  file: 'careless-shop.ts',
  from: "answer.status !== 'failed'",
  to: 'await letIn',
} as const;

/** Every attack of the lab. Each runs for real, over HTTP, against the real shop and the careless one. */
export const ATTACKS: readonly Attack[] = [
  {
    id: 'forged-return',
    title: 'Forged return',
    story:
      'Mallory starts a check, does not do it, and types the return address with status=verified.',
    why: 'The shop takes nothing but the session id from the address, and asks the service what became of it: it is still pending.',
    code: {
      shop: DECIDES,
      careless: {
        file: 'careless-shop.ts',
        from: "const { sessionId = '', status } = c.req.query()",
        to: 'await letIn',
      },
    },
    async run(world) {
      const { mallory, returnUrl } = world;
      const { sessionId } = await world.check(mallory, null);
      const query = `sessionId=${sessionId}&status=verified&timestamp=${Date.now()}`;
      const asked = await bringSession(world, mallory, sessionId, `After ${returnUrl}?${query}`);
      const opened = await world.shop('Mallory opens the address', `careless/return?${query}`, {
        method: 'GET',
        as: mallory,
      });
      return {
        shop: await toSide(world, mallory, [asked]),
        careless: await toCarelessSide(world, mallory, [opened]),
      };
    },
  },
  {
    id: 'forged-message',
    title: 'Forged message',
    story:
      'While the check waits in its window, a frame in the page, such as an advertisement, posts the message that the hosted page would post.',
    why: 'The SDK takes a message only from the window that it opened, of the hosted page’s origin and about this session. And were it fooled: the page only hands the session id on, and the server asks the service.',
    code: {
      shop: DECIDES,
      careless: {
        file: 'careless-shop.ts',
        from: 'const { type, sessionId, status } = await c.req.json()',
        to: 'await letIn',
      },
    },
    async run(world) {
      const { mallory } = world;
      // First of all, and in the click: it opens a window.
      const check = world.openCheck?.();
      if (!check) throw new Error('There are no windows here');
      try {
        const sessionId = await check.sessionId;
        const message = {
          type: 'ofage:verification:complete',
          sessionId,
          status: 'verified',
          timestamp: Date.now(),
        };
        const heard = await check.forge(message);
        const asked = await bringSession(world, mallory, sessionId, 'Mallory asks all the same');
        const told = await world.shop('The page sends on what it heard', 'careless/message', {
          as: mallory,
          body: Object(heard.data) as object,
        });
        const shop = await toSide(world, mallory, [asked]);
        const said = check.said();
        return {
          shop: {
            ...shop,
            isIn: shop.isIn || said !== null,
            outcome:
              said === null
                ? `The SDK ignored the message (from ${heard.origin}) and still waits. ${shop.outcome}`
                : `verify() said ${JSON.stringify(said)}. ${shop.outcome}`,
          },
          careless: await toCarelessSide(world, mallory, [told]),
        };
      } finally {
        check.end();
      }
    },
  },
  {
    id: 'replayed-webhook',
    title: 'Replayed webhook',
    story:
      'Mallory read a webhook with its signature in a log, and posts it again: each one is worth a voucher.',
    why: 'The signature is right, so it does not help here. The shop keeps each eventId that it handled, and acknowledges the second copy without doing the work again.',
    code: {
      shop: { file: 'webhooks.ts', from: 'async claim(', to: 'return claim' },
      careless: {
        file: 'careless-shop.ts',
        from: 'Mistake: done at every delivery',
        to: '}));',
      },
    },
    async run(world) {
      const { mallory } = world;
      const { sessionId } = await world.check(mallory, 'verified');
      const webhook = await world.captured(sessionId);
      const replayed = await post(world, 'Mallory posts it again', 'webhooks/ofage', webhook);
      const delivered = await post(world, 'The delivery', 'careless/webhooks', webhook);
      const again = await post(world, 'Mallory posts it again', 'careless/webhooks', webhook);
      const access = await ask(world, mallory, 'access');
      const times = toList(access.answer, 'webhooks').filter(
        ({ eventId, duplicate }) => eventId === webhook.eventId && duplicate === false,
      ).length;
      const careless = await ask(world, mallory, 'careless/access');
      const { vouchers } = Object(careless.answer) as { vouchers: number };
      return {
        shop: {
          isIn: times > 1,
          outcome: `The event counted ${toTimes(times)}.`,
          exchanges: [replayed, access],
        },
        careless: {
          isIn: vouchers > 1,
          outcome: `Mallory has ${vouchers} vouchers for one check.`,
          exchanges: [delivered, again, careless],
        },
      };
    },
  },
  {
    id: 'tampered-webhook',
    title: 'Tampered webhook',
    story: 'Mallory takes the webhook of Anna, who passed, and puts her own name into it.',
    why: 'The signature is over the raw bytes: with one letter changed it does not fit any more, and nobody can make another without the secret.',
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
      const { mallory } = world;
      const anna = await world.signIn();
      const { sessionId } = await world.check(anna, 'verified');
      const webhook = await world.captured(sessionId);
      const forged = toText(webhook).replaceAll(anna.customerId, mallory.customerId);
      const title = 'Mallory posts it, changed';
      const refused = await post(world, title, 'webhooks/ofage', webhook, forged);
      const taken = await post(world, title, 'careless/webhooks', webhook, forged);
      return {
        shop: await toSide(world, mallory, [refused]),
        careless: await toCarelessSide(world, mallory, [taken]),
      };
    },
  },
  {
    id: 'second-validate',
    title: 'Second validate',
    story: 'Anna passed, and is in. She gives the session id away, and Mallory brings it again.',
    why: 'The service tells a result once, and the shop keeps it with the customer it is about. Mallory is another one; and “already used” is an error, not a yes.',
    code: { shop: DECIDES, careless: VALIDATES_CARELESSLY },
    async run(world) {
      const { mallory } = world;
      const anna = await world.signIn();
      const at = async (prefix: '' | 'careless/'): Promise<Exchange[]> => {
        const { sessionId } = await world.check(anna, 'verified');
        return [
          await bringSession(world, anna, sessionId, 'Anna comes back from the check', prefix),
          await bringSession(world, mallory, sessionId, 'Mallory brings the same id', prefix),
        ];
      };
      return {
        shop: await toSide(world, mallory, await at('')),
        careless: await toCarelessSide(world, mallory, await at('careless/')),
      };
    },
  },
  {
    id: 'session-token',
    title: 'Session token to validate',
    story:
      'Mallory has the sessionToken of her own check in the address bar, and hands it in where the session id belongs.',
    why: 'The shop passes on one field that it knows, not the body. The service knows no sessionToken there, and refuses.',
    code: {
      shop: { file: 'app.ts', from: 'const { sessionId } = await readJson', to: 'await decide' },
      careless: {
        file: 'careless-shop.ts',
        from: 'Mistake: what the browser sent is passed on',
        to: 'await letIn',
      },
    },
    async run(world) {
      const { mallory } = world;
      const { sessionToken } = await world.check(mallory, null);
      const title = 'Mallory hands in the token';
      const body = { sessionToken };
      const refused = await world.shop(title, 'verification', { as: mallory, body });
      const taken = await world.shop(title, 'careless/verification', { as: mallory, body });
      return {
        shop: await toSide(world, mallory, [refused]),
        careless: await toCarelessSide(world, mallory, [taken]),
      };
    },
  },
  {
    id: 'wrong-tenant',
    title: 'Session of another account',
    story:
      'Mallory opens an account of her own with the service, passes a check there as often as she likes, and brings that session id here.',
    why: 'Validate answers only for sessions of the account whose secret key asks. Everything that is not a clear yes is a no.',
    code: { shop: DECIDES, careless: VALIDATES_CARELESSLY },
    async run(world) {
      const { mallory } = world;
      const publishableKey = await toForeignKey(world);
      const created = await world.api(
        'Mallory’s own account creates a session',
        'sessions/create',
        {
          headers: { authorization: `Bearer ${publishableKey}` },
          body: { returnUrl: world.returnUrl, externalUserId: mallory.customerId },
        },
      );
      const { sessionId } = Object(created.answer) as { sessionId: string };
      await world.client.settle(sessionId, 'verified');
      const title = 'Mallory brings the id';
      const refused = await bringSession(world, mallory, sessionId, title);
      const taken = await bringSession(world, mallory, sessionId, title, 'careless/');
      return {
        shop: await toSide(world, mallory, [created, refused]),
        careless: await toCarelessSide(world, mallory, [created, taken]),
      };
    },
  },
  {
    id: 'wrong-customer',
    title: 'Someone else’s session',
    story:
      'Anna passed, and her return address is in a shared history. Mallory brings the session id first.',
    why: 'The result names the customer for whom the session was made, and the shop compares it with who is signed in.',
    code: { shop: DECIDES, careless: VALIDATES_CARELESSLY },
    async run(world) {
      const { mallory } = world;
      const anna = await world.signIn();
      const title = 'Mallory brings Anna’s id';
      const at = async (prefix: '' | 'careless/'): Promise<Exchange> => {
        const { sessionId } = await world.check(anna, 'verified');
        return bringSession(world, mallory, sessionId, title, prefix);
      };
      return {
        shop: await toSide(world, mallory, [await at('')]),
        careless: await toCarelessSide(world, mallory, [await at('careless/')]),
      };
    },
  },
];

/** Hands a session id to a shop's server, as its return page does. */
function bringSession(
  world: World,
  customer: Customer,
  sessionId: string,
  title: string,
  prefix: '' | 'careless/' = '',
): Promise<Exchange> {
  return world.shop(title, `${prefix}verification`, { as: customer, body: { sessionId } });
}

/** Posts a webhook that was read somewhere, with its own signature. */
function post(
  world: World,
  title: string,
  path: string,
  webhook: KeptWebhook,
  body = toText(webhook),
): Promise<Exchange> {
  const [, signature = ''] = webhook.headers.find(([name]) => name === 'x-ofage-signature') ?? [];
  return world.shop(title, path, { headers: { 'x-ofage-signature': signature }, body });
}

function ask(world: World, customer: Customer, path: string): Promise<Exchange> {
  return world.shop('Is Mallory in?', path, { method: 'GET', as: customer });
}

async function toSide(
  world: World,
  mallory: Customer,
  exchanges: readonly Exchange[],
): Promise<Side> {
  const access = await ask(world, mallory, 'access');
  const { access: isIn } = Object(access.answer) as { access: boolean };
  const problem = toProblem(exchanges.at(-1));
  return {
    isIn,
    outcome: isIn ? 'Mallory is in.' : `Mallory is out: ${problem}.`,
    exchanges: [...exchanges, access],
  };
}

async function toCarelessSide(
  world: World,
  mallory: Customer,
  exchanges: readonly Exchange[],
): Promise<Side> {
  const access = await ask(world, mallory, 'careless/access');
  const { access: isIn, because } = Object(access.answer) as { access: boolean; because?: string };
  return {
    isIn,
    outcome: isIn ? `Mallory is in: ${because}.` : 'Mallory is out.',
    exchanges: [...exchanges, access],
  };
}

/** Why the shop said no, in its own words. */
function toProblem(last: Exchange | undefined): string {
  const { problem, validation } = Object(last?.answer) as {
    problem?: { code?: string } | null;
    validation?: { status?: string } | null;
  };
  if (problem?.code) return problem.code;
  if (validation?.status) return `the session is ${validation.status}`;
  return last?.status === 401 ? 'the signature does not fit (401)' : `HTTP ${last?.status}`;
}

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

function toText({ bodyBase64 }: KeptWebhook): string {
  const bytes = Uint8Array.from(atob(bodyBase64), (char) => char.charCodeAt(0));
  return new TextDecoder().decode(bytes);
}

function toList(answer: unknown, field: string): Record<string, unknown>[] {
  const value: unknown = (Object(answer) as Record<string, unknown>)[field];
  return Array.isArray(value) ? value.map((item) => Object(item) as Record<string, unknown>) : [];
}

const toTimes = (times: number): string => (times === 1 ? 'once' : `${times} times`);
