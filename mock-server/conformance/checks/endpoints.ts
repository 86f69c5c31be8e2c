import { forEach, type Check } from '../check.ts';
import { describeWebhooks } from '../hooks.ts';
import { CheckFailure, ensure } from '../outcome.ts';
import type { EventKind } from '../driver.ts';
import type { World } from '../world.ts';
import { LIFETIME_MS } from './bodies.ts';
import { defineChecks, type CheckRow } from './define.ts';
import { count, countDuring, deliver, expectCount, failOnce, HOUR_MS, verify } from './deliver.ts';
import { expectRefusal } from './destinations.ts';
import { expectSignature } from './signatures.ts';

const ENDPOINTS: readonly CheckRow[] = [
  {
    id: 'query',
    section: 'Webhook endpoint',
    sentence: 'A webhook is sent to the exact path and query of its endpoint',
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
    sentence: 'An endpoint that is limited to a key pair receives all events of that pair',
    kind: 'slow',
    needs: ['settle', 'advance'],
    async run(world) {
      const { pairId } = world.account;
      if (pairId === undefined)
        return world.skip('the driver does not know the id of the key pair');
      const hook = await world.hook({ pairId });
      await verify(world);
      await world.create({}, world.pk);
      await world.driver.advance(LIFETIME_MS);
      await hook.waitForEvent('session.started', 2);
      await hook.waitForEvent('verification.completed');
      await hook.waitForEvent('session.timeout');
    },
  },
  {
    id: 'pair.other',
    sentence:
      'An endpoint that is limited to a key pair receives no events of other pairs, but an account-wide endpoint does',
    needs: ['createKeyPair', 'settle'],
    async run(world) {
      const { pairId, tenantId } = world.account;
      if (pairId === undefined)
        return world.skip('the driver does not know the id of the key pair');
      const own = await world.hook({ pairId });
      const all = await world.hook();
      const other = await world.driver.createKeyPair(tenantId ?? '');
      await world.settle(await world.create({}, other.secretKey), 'verified');
      await all.waitForEvent('verification.completed');
      await expectCount(own, 0, 'about another key pair');
    },
  },
  {
    id: 'disabled',
    section: 'Webhook endpoint',
    sentence: 'A disabled endpoint receives no new events',
    needs: ['changeEndpoint'],
    async run(world) {
      const hook = await world.hook();
      await world.driver.changeEndpoint(hook.id, { enabled: false });
      await world.create();
      await expectCount(hook, 0, 'at the endpoint');
    },
  },
  {
    id: 'disabled.queued',
    section: 'Webhook endpoint',
    sentence: 'Disabling an endpoint stops its queued retries',
    kind: 'slow',
    needs: ['changeEndpoint', 'settle', 'advance'],
    async run(world) {
      const hook = await deliver(world, () => ({ status: 500 }));
      await world.driver.changeEndpoint(hook.id, { enabled: false });
      const retries = await countDuring(world, hook, HOUR_MS);
      ensure(retries === 0, 'no retry', `${retries}`);
    },
  },
  {
    id: 'enabled-again',
    section: 'Webhook endpoint',
    sentence: 'An endpoint that is enabled again receives new events',
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
    needs: ['changeEndpoint', 'settle', 'advance'],
    async run(world) {
      const hook = await deliver(world, failOnce());
      const other = await world.mailbox();
      await world.driver.changeEndpoint(hook.id, { url: other.url });
      await world.driver.advance(HOUR_MS);
      const there = await count(hook);
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
    id: 'new-events-list',
    sentence: 'After a change of its events, an endpoint receives the new kinds and no others',
    needs: ['changeEndpoint', 'settle'],
    async run(world) {
      const hook = await world.hook({ events: ['session.started'] });
      await world.driver.changeEndpoint(hook.id, { events: ['verification.completed'] });
      await verify(world);
      await hook.waitForEvent('verification.completed');
      await expectCount(hook, 1, 'about the new kind');
    },
  },
  {
    id: 'test-event',
    sentence:
      'A test sends one signed event with "test": true, and reports whether it was accepted',
    level: 'reading',
    needs: ['testEndpoint'],
    ...forEach({ accepted: 204, refused: 500 }, async (world, status) => {
      const hook = await world.hook();
      hook.respond(() => ({ status }));
      const isAccepted = await world.driver.testEndpoint(hook.id);
      ensure(isAccepted === (status === 204), `a test that ends after ${status}`, `${isAccepted}`);
      const [webhook] = await hook.waitFor(1);
      ensure(webhook?.body.test === true, '"test": true', String(webhook?.body.test));
      if (webhook && hook.secret !== null) await expectSignature(webhook, hook.secret);
      await expectCount(hook, 1, 'in all');
    }),
  },
  {
    id: 'removed',
    level: 'should',
    sentence: 'A deleted endpoint receives no more events',
    needs: ['removeEndpoint'],
    async run(world) {
      const hook = await world.hook();
      await world.driver.removeEndpoint(hook.id);
      await world.create();
      await expectCount(hook, 0, 'at the endpoint');
    },
  },
  {
    id: 'twenty',
    section: 'Limits',
    sentence: 'An account has at most 20 endpoints',
    async run(world) {
      for (let n = 0; n < MAX_ENDPOINTS; n += 1) await world.hook();
      const { url } = await world.mailbox();
      await expectRefusal(world, url, 'the 21st endpoint');
    },
  },
  {
    id: 'twenty.disabled',
    section: 'Limits',
    sentence: 'Disabled endpoints count towards the 20 endpoints of an account',
    level: 'reading',
    needs: ['changeEndpoint'],
    async run(world) {
      for (let n = 0; n < MAX_ENDPOINTS; n += 1) {
        const { id } = await world.hook();
        if (n % 2 === 0) await world.driver.changeEndpoint(id, { enabled: false });
      }
      const { url } = await world.mailbox();
      await expectRefusal(world, url, 'the 21st endpoint');
    },
  },
  {
    id: 'other-account',
    section: 'Webhook endpoint',
    sentence: 'An endpoint receives no events of other accounts',
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

/** Sets the legacy webhook to a new mailbox. The secret is null if the driver does not know it. */
async function setLegacy({ mailbox, driver, account }: World, events?: readonly EventKind[]) {
  const opened = await mailbox();
  const secret = await driver.setLegacyWebhook(account.tenantId ?? '', opened.url, events);
  return { mailbox: opened, secret };
}

const LEGACY: readonly CheckRow[] = [
  {
    id: 'receives',
    sentence: 'The legacy webhook receives events while the account has no endpoint',
    async run(world) {
      const { mailbox } = await setLegacy(world);
      await verify(world);
      await mailbox.waitForEvent('verification.completed');
    },
  },
  {
    id: 'signed',
    sentence: 'A request to the legacy webhook is signed with the secret of that webhook',
    async run(world) {
      const { mailbox, secret } = await setLegacy(world);
      if (secret === null)
        return world.skip('the driver does not know the secret of the legacy webhook');
      await verify(world);
      const [webhook] = await mailbox.waitForEvent('verification.completed');
      if (webhook) await expectSignature(webhook, secret);
    },
  },
  {
    id: 'subscribed',
    sentence: 'The legacy webhook receives only the kinds of event that it is set for',
    async run(world) {
      const { mailbox } = await setLegacy(world, ['verification.completed']);
      await verify(world);
      await mailbox.waitForEvent('verification.completed');
      await expectCount(mailbox, 1, 'about the one kind');
    },
  },
  {
    id: 'beside-twenty',
    sentence: 'The legacy webhook does not count towards the 20 endpoints of an account',
    level: 'reading',
    needs: ['addEndpoint'],
    async run(world) {
      await setLegacy(world);
      for (let n = 1; n < MAX_ENDPOINTS; n += 1) await world.hook();
      const { url } = await world.mailbox();
      const { tenantId } = world.account;
      await world.driver.addEndpoint({ tenantId, url }).catch((error: unknown) => {
        throw new CheckFailure('the 20th endpoint to be accepted', String(error));
      });
    },
  },
  {
    id: 'stops',
    needs: ['addEndpoint'],
    sentence: 'Once an endpoint exists, it receives the events instead of the legacy webhook',
    async run(world) {
      const { mailbox } = await setLegacy(world);
      const hook = await world.hook();
      await verify(world);
      await hook.waitForEvent('verification.completed');
      await expectCount(mailbox, 0, 'at the legacy URL');
    },
  },
  {
    id: 'stops.disabled',
    sentence: 'The legacy webhook receives no events if an endpoint exists but is disabled',
    level: 'reading',
    needs: ['addEndpoint', 'changeEndpoint'],
    async run(world) {
      const { mailbox } = await setLegacy(world);
      const hook = await world.hook();
      await world.driver.changeEndpoint(hook.id, { enabled: false });
      await verify(world);
      await expectCount(mailbox, 0, 'at the legacy URL');
    },
  },
  {
    id: 'migrated',
    sentence: 'The legacy webhook can be converted to an endpoint with the same URL and secret',
    needs: ['migrateLegacyWebhook'],
    async run(world) {
      const { mailbox, secret } = await setLegacy(world);
      await world.driver.migrateLegacyWebhook(world.account.tenantId ?? '');
      await verify(world);
      const [webhook] = await mailbox.waitForEvent('verification.completed');
      if (webhook && secret !== null) await expectSignature(webhook, secret);
      await expectCount(mailbox, 2, 'for the two events');
    },
  },
];

/** Checks of endpoints and of the legacy webhook. */
export const ENDPOINT_CHECKS: readonly Check[] = [
  ...defineChecks(
    { section: 'Events', prefix: 'webhooks.endpoints', needs: ['addEndpoint'], settings: {} },
    ENDPOINTS,
  ),
  ...defineChecks(
    {
      section: 'Webhook endpoint',
      prefix: 'webhooks.legacy',
      needs: ['setLegacyWebhook', 'settle'],
      settings: {},
    },
    LEGACY,
  ),
];
