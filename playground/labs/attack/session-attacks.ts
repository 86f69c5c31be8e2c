import { toForgedMessage } from '../forged-message.ts';
import type { Attack } from './attack.ts';
import { bringSession, toReport, tryAtBoth } from './attack-steps.ts';
import type { World } from './world.ts';

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

export const forgedReturn: Attack = {
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
    const shop = [await bringSession(world, sessionId, `After ${returnUrl}?${query}`)];
    const careless = [
      await world.shop('Mallory opens the address', `careless/return?${query}`, {
        method: 'GET',
        as: mallory,
      }),
    ];
    return toReport(world, { shop, careless });
  },
};

export const forgedMessage: Attack = {
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
    // Before the first await, because the browser only opens a window during the click.
    const check = world.openCheck?.();
    if (!check) throw new Error('There are no windows here');
    try {
      const sessionId = await check.sessionId;
      const heard = await check.forge(toForgedMessage(sessionId));
      const shop = [await bringSession(world, sessionId, 'Mallory asks all the same')];
      const careless = [
        await world.shop('The page sends on what it heard', 'careless/message', {
          as: world.mallory,
          body: Object(heard.data) as object,
        }),
      ];
      const report = await toReport(world, { shop, careless });
      const said = check.said();
      const sdkOutcome =
        said === null
          ? `The SDK ignored the message (from ${heard.origin}) and still waits.`
          : `verify() said ${JSON.stringify(said)}.`;
      const { isIn, outcome } = report.shop;
      const isFooled = isIn || said !== null;
      return {
        ...report,
        shop: { ...report.shop, isIn: isFooled, outcome: `${sdkOutcome} ${outcome}` },
      };
    } finally {
      check.end();
    }
  },
};

export const secondValidate: Attack = {
  id: 'second-validate',
  title: 'Second validate',
  story: 'Anna passed, and is in. She gives the session id away, and Mallory brings it again.',
  why: 'The service tells a result once, and the shop keeps it with the customer it is about. Mallory is another one; and “already used” is an error, not a yes.',
  code: { shop: DECIDES, careless: VALIDATES_CARELESSLY },
  async run(world) {
    return tryAtBoth(world, async (prefix) => {
      const anna = await world.signIn();
      const { sessionId } = await world.check(anna, 'verified', prefix);
      const isAnna = { as: anna, prefix };
      return [
        await bringSession(world, sessionId, 'Anna comes back from the check', isAnna),
        await bringSession(world, sessionId, 'Mallory brings the same id', { prefix }),
      ];
    });
  },
};

export const sessionToken: Attack = {
  id: 'session-token',
  title: 'Session token to validate',
  story:
    'Mallory has the sessionToken of her own check in the address bar, and hands it in where the session id belongs.',
  why: 'The shop passes on one field that it knows, not the body. The service knows no sessionToken there, and refuses.',
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
      await world.shop('Mallory hands in the token', `${prefix}verification`, {
        as: world.mallory,
        body: { sessionToken },
      }),
    ]);
  },
};

export const wrongTenant: Attack = {
  id: 'wrong-tenant',
  title: 'Session of another account',
  story:
    'Mallory opens an account of her own with the service, passes a check there as often as she likes, and brings that session id here.',
  why: 'Validate answers only for sessions of the account whose secret key asks. Everything that is not a clear yes is a no.',
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
      await bringSession(world, sessionId, 'Mallory brings the id', { prefix }),
    ]);
  },
};

export const wrongCustomer: Attack = {
  id: 'wrong-customer',
  title: 'Someone else’s session',
  story:
    'Anna passed, and her return address is in a shared history. Mallory brings the session id first.',
  why: 'The result names the customer for whom the session was made, and the shop compares it with who is signed in.',
  code: { shop: DECIDES, careless: VALIDATES_CARELESSLY },
  async run(world) {
    return tryAtBoth(world, async (prefix) => {
      const anna = await world.signIn();
      const { sessionId } = await world.check(anna, 'verified', prefix);
      return [await bringSession(world, sessionId, 'Mallory brings Anna’s id', { prefix })];
    });
  },
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
