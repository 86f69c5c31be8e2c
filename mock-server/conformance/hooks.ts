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

/**
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
  const added: string[] = [];
  return {
    async hook({ path = '', ...options } = {}) {
      const { shared } = setting;
      const isPlain = path === '' && Object.keys(options).length === 0;
      if (shared && isPlain) {
        return { ...toHook(restart(shared.mailbox), setting, isOwn), ...shared.endpoint };
      }
      const mailbox = (await setting.inbox()).open();
      const url = mailbox.url + path;
      const endpoint = await addEndpoint(driver, { tenantId, url, ...options });
      added.push(endpoint.id);
      const staysForOthers = tenantId === undefined && !driver.removeEndpoint;
      if (staysForOthers && isPlain) setting.shared = { endpoint, mailbox };
      return { ...toHook(mailbox, setting, isOwn), url, ...endpoint };
    },
    mailbox: async () => toHook((await setting.inbox()).open(), setting, isOwn),
    async close() {
      // Removes the endpoints, because a later check that moves the clock would wait for the retries to
      // them. Errors are ignored, because a check may have removed its endpoint itself.
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

function restart(mailbox: Mailbox): Mailbox {
  mailbox.respond = () => ({ status: 204 });
  mailbox.received.length = 0;
  return mailbox;
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
      await waitUntil(() => driver.now !== undefined);
      return received();
    },
    respond(answer) {
      mailbox.respond = (_n, webhook) => answer(Math.max(1, received().length), webhook);
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
