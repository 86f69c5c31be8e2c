import { forEach, type Check } from '../check.ts';
import { EndpointRefusal } from '../driver.ts';
import { CheckFailure } from '../outcome.ts';
import type { World } from '../world.ts';
import { defineChecks, type CheckRow } from './define.ts';
import { deliver, expectCount, failOnce, HOUR_MS, verify } from './deliver.ts';
import { expectSignature } from './signatures.ts';

/** URLs that are not public HTTPS addresses, in several spellings. */
const NOT_PUBLIC = {
  http: 'http://93.184.216.34/hooks',
  ftp: 'ftp://93.184.216.34/hooks',
  'no-url': 'hooks',
  'private-10': 'https://10.0.0.1/',
  'private-172': 'https://172.16.0.1/',
  'private-192': 'https://192.168.1.1/',
  'link-local': 'https://169.254.1.1/',
  metadata: 'https://169.254.169.254/latest/meta-data/',
  shared: 'https://100.64.0.1/',
  unspecified: 'https://0.0.0.0/',
  multicast: 'https://224.0.0.1/',
  broadcast: 'https://255.255.255.255/',
  documentation: 'https://192.0.2.1/',
  benchmark: 'https://198.18.0.1/',
  reserved: 'https://240.0.0.1/',
  'ipv6-unspecified': 'https://[::]/',
  'ipv6-6to4': 'https://[2002:a00:1::]/',
  'local-name': 'https://intranet/',
  decimal: 'https://167772161/',
  hexadecimal: 'https://0x0a000001/',
  octal: 'https://012.0.0.1/',
  short: 'https://10.1/',
  'ipv6-private': 'https://[fd00::1]/',
  'ipv6-link-local': 'https://[fe80::1]/',
  'ipv6-mapped': 'https://[::ffff:10.0.0.1]/',
  'ipv6-nat64': 'https://[64:ff9b::10.0.0.1]/',
};

const ON_THIS_MACHINE = {
  loopback: 'https://127.0.0.1/',
  'loopback-other': 'https://127.1.2.3/',
  'ipv6-loopback': 'https://[::1]/',
  localhost: 'https://localhost/',
};

const PUBLIC = {
  plain: 'https://93.184.216.34/',
  port: 'https://93.184.216.34:8443/hooks',
  query: 'https://93.184.216.34/hooks/ofage?shop=7&x=%20',
  ipv6: 'https://[2606:2800:220:1:248:1893:25c8:1946]/hooks',
};

/** Fails the check unless the service refuses an endpoint with this URL. */
export async function expectRefusal(world: World, url: string, what: string): Promise<void> {
  const { tenantId } = world.account;
  try {
    await world.driver.addEndpoint({ tenantId, url });
  } catch (error) {
    if (error instanceof EndpointRefusal) return;
    throw error;
  }
  throw new CheckFailure(`${what} to be refused`, 'it was accepted');
}

const DESTINATIONS: readonly CheckRow[] = [
  {
    id: 'refused',
    sentence: 'An endpoint is refused if its URL is not a public HTTPS address',
    ...forEach(NOT_PUBLIC, (world, url) => expectRefusal(world, url, `the endpoint ${url}`)),
  },
  {
    id: 'refused.later',
    sentence: 'An endpoint, or the legacy webhook, cannot be changed to a URL that is not public',
    needs: ['changeEndpoint', 'setLegacyWebhook'],
    ...forEach({ endpoint: false, 'legacy webhook': true }, async (world, isLegacy) => {
      const url = 'https://10.0.0.1/';
      const { driver, account } = world;
      const change = isLegacy
        ? driver.setLegacyWebhook(account.tenantId ?? '', url)
        : driver.changeEndpoint((await world.hook()).id, { url });
      const isRefused = await change.then(
        () => false,
        (error: unknown) => error instanceof EndpointRefusal,
      );
      if (!isRefused) throw new CheckFailure(`the URL ${url} to be refused`, 'it was accepted');
    }),
  },
  {
    id: 'refused.this-computer',
    sentence: 'An endpoint is refused if its URL is an address of this computer',
    ...forEach(ON_THIS_MACHINE, async (world, url) => {
      // The kit's own receiver is on this computer, unless it has a public address.
      const { hostname } = new URL((await world.mailbox()).url);
      if (/^(127\.|\[::1\]|localhost$)/.test(hostname))
        return world.skip(
          'the service allows webhooks to this computer, so that the kit receives them',
        );
      await expectRefusal(world, url, `the endpoint ${url}`);
    }),
  },
  {
    id: 'accepted',
    sentence: 'An endpoint with a public HTTPS address is accepted, with any port, path and query',
    // No event is sent there: the account is new and the check creates no session.
    ...forEach(PUBLIC, async (world, url) => {
      const { tenantId } = world.account;
      await world.driver.addEndpoint({ tenantId, url }).catch((error: unknown) => {
        throw new CheckFailure(`the endpoint ${url} to be accepted`, String(error));
      });
    }),
  },
  {
    id: 'redirect.not-public',
    sentence:
      'A redirect to an address that is not public is not followed, and counts as a failure',
    kind: 'slow',
    needs: ['advance', 'settle'],
    async run(world) {
      const location = 'https://10.0.0.1/';
      const hook = await deliver(world, failOnce(307, { location }));
      await world.driver.advance(HOUR_MS);
      await expectCount(hook, 2, 'at the endpoint');
    },
  },
  {
    id: 'redirect.this-computer',
    sentence: 'A redirect to 0.0.0.0, which is another address of this computer, is not followed',
    kind: 'slow',
    needs: ['advance', 'settle'],
    async run(world) {
      const hook = await world.hook({ events: ['verification.completed'] });
      const target = await world.mailbox();
      const url = new URL(target.url);
      // The service may allow the receiver's own address. 0.0.0.0 leads to it too, but is never public.
      url.protocol = 'http:';
      url.hostname = '0.0.0.0';
      hook.respond(() => ({ status: 307, headers: { location: url.href } }));
      await verify(world);
      await hook.waitFor(1);
      await world.driver.advance(HOUR_MS);
      await expectCount(target, 0, 'at 0.0.0.0');
    },
  },
  {
    id: 'redirect.followed',
    level: 'reading',
    sentence:
      'A redirect to an allowed address is followed with the same method, bytes and signature',
    ...forEach(
      {
        302: { status: 302, target: 'url' },
        307: { status: 307, target: 'url' },
        'other origin': { status: 308, target: 'otherUrl' },
      } as const,
      async (world, { status, target }) => {
        const hook = await world.hook({ events: ['session.started'] });
        const mailbox = await world.mailbox();
        const location = mailbox[target];
        if (location === null) return world.skip('the receiver has only one origin');
        hook.respond(() => ({ status, headers: { location } }));
        await world.create();
        // A request without the body, such as a GET, has no event.
        const [webhook] = await mailbox.waitForEvent('session.started');
        if (webhook && hook.secret !== null) await expectSignature(webhook, hook.secret);
      },
    ),
  },
];

/** Checks of the addresses to which webhooks may be sent or redirected. */
export const DESTINATION_CHECKS: readonly Check[] = defineChecks(
  {
    section: 'Webhook endpoint',
    prefix: 'webhooks.destinations',
    needs: ['addEndpoint'],
    settings: {},
  },
  DESTINATIONS,
);
