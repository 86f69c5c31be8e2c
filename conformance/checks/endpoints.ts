import type { Check } from '../check.ts';
import { describeWebhooks } from '../hooks.ts';
import { ensure } from '../outcome.ts';
import { defineChecks, type CheckRow } from './define.ts';
import { expectRefusal } from './refusal.ts';
import { expectSignature } from './signatures.ts';

const HOUR_MS = 3_600_000;

const ENDPOINTS: readonly CheckRow[] = [
  {
    id: 'query',
    section: 'Webhook endpoint',
    sentence: 'A webhook is sent to the exact path and query of its endpoint',
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
    sentence: 'An endpoint that is limited to a key pair receives the events of that pair',
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
      'An endpoint that is limited to a key pair receives no events of other pairs, but an account-wide endpoint does',
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
    sentence: 'A disabled endpoint receives no new events',
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
      ensure(after === before, 'no retry', `retries: ${after - before}`);
    },
  },
  {
    id: 'enabled-again',
    section: 'Webhook endpoint',
    sentence: 'An endpoint that is enabled again receives new events',
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
    sentence:
      'After a change of the URL, an event that was already queued is retried at the first URL',
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
        `${there - 1} at the first URL and ${moved} at the new one`,
      );
    },
  },
  {
    id: 'new-url.new-events',
    sentence: 'After a change of the URL, new events are sent to the new URL',
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
        'no webhook at the first URL',
        describeWebhooks(hook.received()),
      );
    },
  },
  {
    id: 'removed',
    level: 'should',
    sentence: 'A deleted endpoint receives no more events',
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
    sentence: 'A request to the legacy webhook is signed with the secret of that webhook',
    async run(world) {
      const mailbox = await world.mailbox();
      const { tenantId = '' } = world.account;
      const secret = await world.driver.setLegacyWebhook(tenantId, mailbox.url);
      if (secret === null)
        return world.skip('the driver does not know the secret of the legacy webhook');
      await world.settle(await world.create(), 'verified');
      const [webhook] = await mailbox.waitForEvent('verification.completed');
      if (webhook) await expectSignature(webhook, secret);
    },
  },
  {
    id: 'stops',
    sentence: 'Once an endpoint exists, it receives the events instead of the legacy webhook',
    async run(world) {
      const mailbox = await world.mailbox();
      await world.driver.setLegacyWebhook(world.account.tenantId ?? '', mailbox.url);
      const hook = await world.hook();
      await world.settle(await world.create(), 'verified');
      await hook.waitForEvent('verification.completed');
      const received = await mailbox.quiet();
      ensure(received.length === 0, 'no webhook at the legacy URL', describeWebhooks(received));
    },
  },
  {
    id: 'migrated',
    sentence: 'The legacy webhook can be converted to an endpoint with the same URL and secret',
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

/** Checks of endpoints and of the legacy webhook. */
export const ENDPOINT_CHECKS: readonly Check[] = [
  ...defineChecks(
    { section: 'Events', prefix: 'webhooks.endpoints', needs: ['addEndpoint'] },
    ENDPOINTS,
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
