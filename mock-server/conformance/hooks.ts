import { setTimeout as wait } from 'node:timers/promises';
import {
  EndpointRefusal,
  type AddedEndpoint,
  type Driver,
  type EndpointRequest,
} from './driver.ts';
import type { Mailbox, ReceivedWebhook } from './inbox.ts';
import { CheckFailure, CheckSkip } from './outcome.ts';
import type { Setting } from './setting.ts';
import type { Hook, HookOptions, MailboxHook } from './world.ts';

/** The endpoints of one check. */
export interface Hooks {
  hook(options?: HookOptions): Promise<Hook>;
  mailbox(): Promise<MailboxHook>;
  close(): Promise<void>;
}

/** An endpoint at the kit's receiver, and the mailbox of its URL. */
type Target = NonNullable<Setting['shared']>;

/**
 * Each call of `hook` adds an endpoint, which is removed at the end of the check. If the driver can neither
 * create accounts nor remove endpoints, the endpoints of all checks stay in one account. Calls without
 * options then share one endpoint.
 * @param tenantId The account of the endpoints, or undefined for the account whose keys were passed to
 *   `createKit`.
 * @param isOwn Tells whether a webhook belongs to the check.
 */
export function createHooks(
  setting: Setting,
  tenantId: string | undefined,
  isOwn: (webhook: ReceivedWebhook) => boolean,
): Hooks {
  const { driver } = setting;
  const endpointsStay = tenantId === undefined && !driver.removeEndpoint;
  const added: string[] = [];

  async function addOwn(path = '', request: Omit<HookOptions, 'path'> = {}): Promise<Target> {
    const mailbox = (await setting.inbox()).open();
    const url = mailbox.url + path;
    const endpoint = await addEndpoint(driver, { tenantId, url, ...request });
    added.push(endpoint.id);
    return { endpoint, mailbox };
  }

  async function openShared(): Promise<Target> {
    if (setting.shared) clear(setting.shared.mailbox);
    else setting.shared = await addOwn();
    return setting.shared;
  }

  return {
    async hook({ path = '', ...request } = {}) {
      const isPlain = path === '' && Object.keys(request).length === 0;
      const isShared = endpointsStay && isPlain;
      const { endpoint, mailbox } = isShared ? await openShared() : await addOwn(path, request);
      return { ...toHook(mailbox, setting, isOwn), url: mailbox.url + path, ...endpoint };
    },
    mailbox: async () => toHook((await setting.inbox()).open(), setting, isOwn),
    async close() {
      // Removes the endpoints, because a later check that moves the clock would wait for the retries to
      // them. All errors are ignored: usually, the check has removed its endpoint itself.
      for (const id of added) await driver.removeEndpoint?.(id).catch(() => {});
    },
  };
}

async function addEndpoint(driver: Driver, request: EndpointRequest): Promise<AddedEndpoint> {
  try {
    if (!driver.addEndpoint) throw new CheckSkip('the driver cannot add an endpoint');
    return await driver.addEndpoint(request);
  } catch (error) {
    if (!(error instanceof EndpointRefusal)) throw error;
    throw new CheckSkip(
      `the service refuses webhooks to ${new URL(request.url).origin} (${error.message}); use --receiver with a public address, or start the mock with --allow-loopback-webhooks`,
    );
  }
}

/** Takes over the mailbox from an earlier check, which has ended. */
function clear(mailbox: Mailbox): void {
  mailbox.respond = () => ({ status: 204 });
  mailbox.received.length = 0;
}

function toHook(
  mailbox: Mailbox,
  { driver, patienceMs }: Setting,
  isOwn: (webhook: ReceivedWebhook) => boolean,
): MailboxHook {
  const received = (): ReceivedWebhook[] => mailbox.received.filter(isOwn);
  async function waitUntil(isDone: () => boolean): Promise<void> {
    // `advance` of a driver with a clock resolves once everything that is due has happened.
    if (driver.now) await driver.advance?.(0);
    const endMs = Date.now() + patienceMs;
    while (!isDone() && Date.now() < endMs) await wait(POLL_MS);
  }
  return {
    url: mailbox.url,
    otherUrl: mailbox.otherUrl,
    delay: mailbox.delay,
    received,
    async waitFor(count) {
      await waitUntil(() => received().length >= count);
      if (received().length >= count) return received();
      throw new CheckFailure(
        count === 1 ? '1 webhook' : `${count} webhooks`,
        describeWebhooks(received()),
        causeOf(received()),
      );
    },
    async waitForEvent(event, count = 1) {
      const own = () => received().filter(({ body }) => body.event === event);
      await waitUntil(() => own().length >= count);
      if (own().length >= count) return own();
      const times = count === 1 ? '' : ` ${count} times`;
      throw new CheckFailure(
        `the webhook ${event}${times}`,
        describeWebhooks(received()),
        causeOf(received()),
      );
    },
    async quiet() {
      if (driver.now) await driver.advance?.(0);
      else await wait(patienceMs);
      return received();
    },
    respond(answer) {
      mailbox.respond = (_n, webhook) => {
        // A webhook of an earlier check, or one that arrives before the response of create, is not counted.
        const n = Math.max(1, received().length);
        return answer(n, webhook);
      };
    },
  };
}

const POLL_MS = 20;

export function describeWebhooks(webhooks: readonly ReceivedWebhook[]): string {
  if (webhooks.length === 0) return 'no webhook';
  return `${webhooks.length}: ${webhooks.map(({ body }) => body.event ?? 'unreadable').join(', ')}`;
}

/** If no webhook at all arrives, it is probably for the same reason as in other checks. */
function causeOf(webhooks: readonly ReceivedWebhook[]): string | null {
  return webhooks.length === 0 ? describeWebhooks(webhooks) : null;
}
