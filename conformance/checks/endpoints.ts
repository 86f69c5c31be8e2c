import type { Check } from '../check.ts';
import { EndpointRefusal } from '../driver.ts';
import { describeWebhooks } from '../hooks.ts';
import { CheckFailure, ensure } from '../outcome.ts';
import type { World } from '../world.ts';
import { defineChecks, type CheckRow } from './define.ts';
import { expectSignature } from './signatures.ts';

const HOUR_MS = 3_600_000;

const ENDPOINTS: readonly CheckRow[] = [
  {
    id: 'query',
    section: 'Webhook endpoint',
    sentence: 'A webhook goes to the exact path and query of its URL',
    settings: {},
    async run(world) {
      const hook = await world.hook({ path: '/a/b?c=d&e=%20f' });
      await world.create();
      const [webhook] = await hook.waitForEvent('session.started');
      const url = webhook?.url ?? '';
      ensure(url.endsWith('/a/b?c=d&e=%20f'), 'the path and query of the endpoint', url);
    },
  },
  {
    id: 'pair.own',
    sentence: 'An endpoint that is limited to a key pair receives the sessions of that pair',
    settings: {},
    async run(world) {
      const { pairId } = world.account;
      if (pairId === undefined)
        return world.skip('the driver does not know the id of the key pair');
      const hook = await world.hook({ pairId });
      await world.create();
      await world.create({}, world.pk);
      await hook.waitForEvent('session.started', 2);
    },
  },
  {
    id: 'pair.other',
    sentence:
      'An endpoint that is limited to a key pair receives no sessions of other pairs; an account-wide one receives all',
    settings: {},
    needs: ['createKeyPair'],
    async run(world) {
      const { pairId, tenantId } = world.account;
      if (pairId === undefined)
        return world.skip('the driver does not know the id of the key pair');
      const own = await world.hook({ pairId });
      const all = await world.hook();
      const other = await world.driver.createKeyPair(tenantId ?? '');
      await world.create({}, other.secretKey);
      await all.waitForEvent('session.started');
      const received = await own.quiet();
      ensure(received.length === 0, 'no webhook of another key pair', describeWebhooks(received));
    },
  },
  {
    id: 'disabled',
    section: 'Webhook endpoint',
    sentence: 'A disabled endpoint gets no new events',
    settings: {},
    needs: ['changeEndpoint'],
    async run(world) {
      const hook = await world.hook();
      await world.driver.changeEndpoint(hook.id, { enabled: false });
      await world.create();
      const received = await hook.quiet();
      ensure(received.length === 0, 'no webhook', describeWebhooks(received));
    },
  },
  {
    id: 'disabled.queued',
    section: 'Webhook endpoint',
    sentence: 'Disabling an endpoint stops its queued retries',
    kind: 'slow',
    settings: {},
    needs: ['changeEndpoint', 'settle', 'advance'],
    async run(world) {
      const hook = await world.hook({ events: ['verification.completed'] });
      hook.respond(() => ({ status: 500 }));
      await world.settle(await world.create(), 'verified');
      const before = (await hook.waitFor(1)).length;
      await world.driver.changeEndpoint(hook.id, { enabled: false });
      await world.driver.advance(HOUR_MS);
      const after = (await hook.quiet()).length;
      ensure(after === before, 'no retry', `${after - before} retries`);
    },
  },
  {
    id: 'enabled-again',
    section: 'Webhook endpoint',
    sentence: 'An endpoint that is enabled again gets new events',
    settings: {},
    needs: ['changeEndpoint'],
    async run(world) {
      const hook = await world.hook();
      await world.driver.changeEndpoint(hook.id, { enabled: false });
      await world.driver.changeEndpoint(hook.id, { enabled: true });
      await world.create();
      await hook.waitForEvent('session.started');
    },
  },
  {
    id: 'new-url.queued',
    sentence: 'A new URL does not redirect an event that is already queued',
    kind: 'slow',
    settings: {},
    needs: ['changeEndpoint', 'settle', 'advance'],
    async run(world) {
      const hook = await world.hook({ events: ['verification.completed'] });
      hook.respond((n) => ({ status: n === 1 ? 500 : 204 }));
      await world.settle(await world.create(), 'verified');
      await hook.waitFor(1);
      const other = await world.mailbox();
      await world.driver.changeEndpoint(hook.id, { url: other.url });
      await world.driver.advance(HOUR_MS);
      const there = (await hook.quiet()).length;
      const moved = other.received().length;
      ensure(
        there === 2 && moved === 0,
        'the retry at the first URL',
        `${there - 1} there and ${moved} at the new one`,
      );
    },
  },
  {
    id: 'new-url.new-events',
    sentence: 'A new URL receives the events that are created after the change',
    settings: {},
    needs: ['changeEndpoint'],
    async run(world) {
      const hook = await world.hook();
      const other = await world.mailbox();
      await world.driver.changeEndpoint(hook.id, { url: other.url });
      await world.create();
      await other.waitForEvent('session.started');
      ensure(
        hook.received().length === 0,
        'nothing at the first URL',
        describeWebhooks(hook.received()),
      );
    },
  },
  {
    id: 'removed',
    level: 'should',
    sentence: 'A deleted endpoint gets nothing more',
    settings: {},
    needs: ['removeEndpoint'],
    async run(world) {
      const hook = await world.hook();
      await world.driver.removeEndpoint(hook.id);
      await world.create();
      const received = await hook.quiet();
      ensure(received.length === 0, 'no webhook', describeWebhooks(received));
    },
  },
  {
    id: 'twenty',
    section: 'Limits',
    sentence: 'An account has at most 20 endpoints',
    settings: {},
    async run(world) {
      for (let n = 0; n < MAX_ENDPOINTS; n += 1) await world.hook();
      const { url } = await world.mailbox();
      await expectRefusal(world, url, 'the 21st endpoint');
    },
  },
  {
    id: 'other-account',
    section: 'Webhook endpoint',
    sentence: 'An endpoint receives no events of other accounts',
    settings: {},
    async run(world) {
      const hook = await world.hook();
      const other = await world.driver.createAccount({ allowedDomains: ['shop.example'] });
      const { sessionId } = await world.create({}, other.secretKey);
      const received = (await hook.quiet()).filter(
        ({ body }) => body.data?.['sessionId'] === sessionId,
      );
      ensure(received.length === 0, 'no webhook of another account', describeWebhooks(received));
    },
  },
];

const MAX_ENDPOINTS = 20;

async function expectRefusal(world: World, url: string, what: string): Promise<void> {
  const { tenantId } = world.account;
  try {
    await world.driver.addEndpoint({ tenantId, url });
  } catch (error) {
    if (error instanceof EndpointRefusal) return;
    throw error;
  }
  throw new CheckFailure(`${what} to be refused`, 'it was accepted');
}

/** Addresses that are not on the public Internet, in several spellings. */
const NOT_PUBLIC: readonly (readonly [name: string, url: string])[] = [
  ['http', 'http://93.184.216.34/hooks'],
  ['ftp', 'ftp://93.184.216.34/hooks'],
  ['no-url', 'hooks'],
  ['private-10', 'https://10.0.0.1/'],
  ['private-172', 'https://172.16.0.1/'],
  ['private-192', 'https://192.168.1.1/'],
  ['link-local', 'https://169.254.1.1/'],
  ['metadata', 'https://169.254.169.254/latest/meta-data/'],
  ['shared', 'https://100.64.0.1/'],
  ['unspecified', 'https://0.0.0.0/'],
  ['multicast', 'https://224.0.0.1/'],
  ['broadcast', 'https://255.255.255.255/'],
  ['documentation', 'https://192.0.2.1/'],
  ['decimal', 'https://167772161/'],
  ['hexadecimal', 'https://0x0a000001/'],
  ['octal', 'https://012.0.0.1/'],
  ['short', 'https://10.1/'],
  ['ipv6-private', 'https://[fd00::1]/'],
  ['ipv6-link-local', 'https://[fe80::1]/'],
  ['ipv6-mapped', 'https://[::ffff:10.0.0.1]/'],
  ['ipv6-nat64', 'https://[64:ff9b::10.0.0.1]/'],
];

const ON_THIS_MACHINE: readonly (readonly [name: string, url: string])[] = [
  ['loopback', 'https://127.0.0.1/'],
  ['loopback-other', 'https://127.1.2.3/'],
  ['ipv6-loopback', 'https://[::1]/'],
  ['localhost', 'https://localhost/'],
];

const PUBLIC: readonly (readonly [name: string, url: string])[] = [
  ['plain', 'https://93.184.216.34/'],
  ['port', 'https://93.184.216.34:8443/hooks'],
  ['query', 'https://93.184.216.34/hooks/ofage?shop=7&x=%20'],
  ['ipv6', 'https://[2606:2800:220:1:248:1893:25c8:1946]/hooks'],
];

const DESTINATIONS: readonly CheckRow[] = [
  ...NOT_PUBLIC.map(([name, url]): CheckRow => ({
    id: `refused.${name}`,
    sentence: `An endpoint with the URL ${url} is refused, because it is not a public HTTPS address`,
    settings: {},
    run: (world) => expectRefusal(world, url, `the endpoint ${url}`),
  })),
  ...ON_THIS_MACHINE.map(([name, url]): CheckRow => ({
    id: `refused.${name}`,
    sentence: `An endpoint with the URL ${url} is refused, because it is not a public address`,
    settings: {},
    async run(world) {
      // The kit's own receiver is on this computer, unless it has a public address.
      const { hostname } = new URL((await world.mailbox()).url);
      if (/^(127\.|\[::1\]|localhost$)/.test(hostname))
        return world.skip(
          'the service allows webhooks to this computer, so that the kit receives them',
        );
      await expectRefusal(world, url, `the endpoint ${url}`);
    },
  })),
  ...PUBLIC.map(([name, url]): CheckRow => ({
    id: `accepted.${name}`,
    sentence: `An endpoint with the URL ${url} is accepted`,
    // No event is sent there: the account is new and the check creates no session.
    settings: {},
    async run(world) {
      const { tenantId } = world.account;
      await world.driver.addEndpoint({ tenantId, url }).catch((error: unknown) => {
        throw new CheckFailure(`the endpoint ${url} to be accepted`, String(error));
      });
    },
  })),
  {
    id: 'redirect.not-public',
    sentence:
      'A redirect to an address that is not public is not followed, and counts as a failure',
    kind: 'slow',
    needs: ['advance', 'settle'],
    settings: {},
    async run(world) {
      const hook = await world.hook({ events: ['verification.completed'] });
      const headers = { location: 'https://10.0.0.1/' };
      hook.respond((n) => (n === 1 ? { status: 307, headers } : { status: 204 }));
      await world.settle(await world.create(), 'verified');
      await hook.waitFor(1);
      await world.driver.advance(HOUR_MS);
      const { length } = await hook.quiet();
      ensure(length === 2, 'a second attempt', `${length} requests`);
    },
  },
  {
    id: 'redirect.followed',
    level: 'should',
    sentence: 'A redirect to an allowed address is followed with the same bytes and signature',
    settings: {},
    async run(world) {
      const hook = await world.hook({ events: ['session.started'] });
      const target = await world.mailbox();
      hook.respond(() => ({ status: 307, headers: { location: target.url } }));
      await world.create();
      const [webhook] = await target.waitForEvent('session.started');
      if (webhook && hook.secret !== null) await expectSignature(webhook, hook.secret);
    },
  },
];

const LEGACY: readonly CheckRow[] = [
  {
    id: 'receives',
    sentence: 'The legacy webhook receives events while the account has no endpoint',
    async run(world) {
      const mailbox = await world.mailbox();
      await world.driver.setLegacyWebhook(world.account.tenantId ?? '', mailbox.url);
      await world.settle(await world.create(), 'verified');
      await mailbox.waitForEvent('verification.completed');
    },
  },
  {
    id: 'signed',
    sentence: 'The legacy webhook is signed with its secret',
    async run(world) {
      const mailbox = await world.mailbox();
      const { tenantId = '' } = world.account;
      const secret = await world.driver.setLegacyWebhook(tenantId, mailbox.url);
      if (secret === null) return world.skip('the driver does not know its secret');
      await world.settle(await world.create(), 'verified');
      const [webhook] = await mailbox.waitForEvent('verification.completed');
      if (webhook) await expectSignature(webhook, secret);
    },
  },
  {
    id: 'stops',
    sentence:
      'The legacy webhook receives nothing once an endpoint exists, which receives the events instead',
    async run(world) {
      const mailbox = await world.mailbox();
      await world.driver.setLegacyWebhook(world.account.tenantId ?? '', mailbox.url);
      const hook = await world.hook();
      await world.settle(await world.create(), 'verified');
      await hook.waitForEvent('verification.completed');
      const received = await mailbox.quiet();
      ensure(received.length === 0, 'nothing at the legacy webhook', describeWebhooks(received));
    },
  },
  {
    id: 'migrated',
    sentence: 'The legacy webhook becomes an endpoint with the same URL and secret',
    needs: ['migrateLegacyWebhook'],
    async run(world) {
      const mailbox = await world.mailbox();
      const { tenantId = '' } = world.account;
      const secret = await world.driver.setLegacyWebhook(tenantId, mailbox.url);
      await world.driver.migrateLegacyWebhook(tenantId);
      await world.settle(await world.create(), 'verified');
      const [webhook] = await mailbox.waitForEvent('verification.completed');
      if (webhook && secret !== null) await expectSignature(webhook, secret);
      const { length } = await mailbox.quiet();
      ensure(length === 2, 'each of the two events once', `${length} webhooks`);
    },
  },
];

/** Endpoints, their destinations and the legacy webhook. */
export const ENDPOINT_CHECKS: readonly Check[] = [
  ...defineChecks(
    { section: 'Events', prefix: 'webhooks.endpoints', needs: ['addEndpoint'] },
    ENDPOINTS,
  ),
  ...defineChecks(
    { section: 'Webhook endpoint', prefix: 'webhooks.destinations', needs: ['addEndpoint'] },
    DESTINATIONS,
  ),
  ...defineChecks(
    {
      section: 'Webhook endpoint',
      prefix: 'webhooks.legacy',
      needs: ['setLegacyWebhook', 'settle'],
    },
    LEGACY.map((row) => ({ settings: {}, ...row })),
  ),
];
