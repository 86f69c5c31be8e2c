import type { Check } from '../check.ts';
import { CheckFailure, ensure } from '../outcome.ts';
import { defineChecks, type CheckRow } from './define.ts';
import { expectRefusal } from './refusal.ts';
import { expectSignature } from './signatures.ts';

const HOUR_MS = 3_600_000;

/** URLs that are not public HTTPS addresses, in several spellings. */
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
  ['local-name', 'https://intranet/'],
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
    id: 'redirect.this-computer',
    sentence: 'A redirect to 0.0.0.0, which is another address of this computer, is not followed',
    kind: 'slow',
    needs: ['advance', 'settle'],
    settings: {},
    async run(world) {
      const hook = await world.hook({ events: ['verification.completed'] });
      const target = await world.mailbox();
      const url = new URL(target.url);
      // The service may allow the receiver's own address. 0.0.0.0 leads to it too, but is never public.
      url.protocol = 'http:';
      url.hostname = '0.0.0.0';
      hook.respond(() => ({ status: 307, headers: { location: url.href } }));
      await world.settle(await world.create(), 'verified');
      await hook.waitFor(1);
      await world.driver.advance(HOUR_MS);
      const { length } = await target.quiet();
      ensure(length === 0, 'no request at 0.0.0.0', `${length}`);
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

/** Checks of the addresses to which webhooks may be sent or redirected. */
export const DESTINATION_CHECKS: readonly Check[] = defineChecks(
  { section: 'Webhook endpoint', prefix: 'webhooks.destinations', needs: ['addEndpoint'] },
  DESTINATIONS,
);
