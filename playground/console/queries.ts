import type { FaultResource, SessionFilter, SessionResource } from 'ofage-mock';
import type { ControlClient, LiveTopic } from 'ofage-mock/client';
import type { Query } from '../shared/live.ts';

// The queries that several pages share. Equal keys share one read.

type Topics = readonly LiveTopic[];

const query = <T>(key: string, topics: Topics, read: () => Promise<T>): Query<T> => ({
  key,
  topics,
  read,
});

export const accounts = (client: ControlClient) =>
  query('accounts', ['tenant'], () => client.tenants());

/** The account's key pairs, oldest first. */
export const pairs = (client: ControlClient, tenantId: string) =>
  query(`pairs ${tenantId}`, ['key'], () => client.keyPairs(tenantId));

export const endpoints = (client: ControlClient, tenantId: string) =>
  query(`endpoints ${tenantId}`, ['endpoint'], () => client.endpoints(tenantId));

/**
 * The legacy webhook, which most accounts do not have. The result is an object, because a plain null would
 * mean that nothing is loaded yet.
 */
export const legacyWebhook = (client: ControlClient, tenantId: string) =>
  query(`legacy ${tenantId}`, ['tenant', 'endpoint', 'delivery'], async () => {
    // A request for a missing legacy webhook would be logged as an error in the browser's console.
    const { hasLegacyWebhook } = await client.tenant(tenantId);
    return { legacy: hasLegacyWebhook ? await client.legacyWebhook(tenantId) : null };
  });

/** The pauses of endpoints, newest first, each with the email that production would send about it. */
export const pauses = (client: ControlClient, tenantId: string) =>
  query(`pauses ${tenantId}`, ['endpoint'], async () => {
    const [notices, emails] = await Promise.all([
      client.notices({ tenantId }),
      client.emails({ tenantId }),
    ]);
    return { notices: notices.toReversed(), emails };
  });

/** The hold on webhooks since a snapshot file was loaded. */
export const webhookHold = (client: ControlClient) =>
  query('webhook hold', ['endpoint'], () => client.webhookHold());

/** The faults of the account, and those of all accounts. */
export const faults = (client: ControlClient, tenantId: string) =>
  query(`faults ${tenantId}`, ['fault'], async () => {
    const isShown = (one: FaultResource) => one.tenantId === null || one.tenantId === tenantId;
    return (await client.faults()).filter(isShown);
  });

/** The queued outcomes, of which each new session takes the first. */
export const nextOutcomes = (client: ControlClient, tenantId: string) =>
  query(`outcomes ${tenantId}`, ['tenant', 'session'], () => client.nextOutcomes(tenantId));

/** The catalogue of outcomes, which never changes. */
export const scenarios = (client: ControlClient) =>
  query('scenarios', [], () => client.scenarios());

/** The number of sessions that a page reads at first, which is the largest page of the service. */
export const SESSION_STEP = 1_000;

/**
 * The account's newest sessions, newest first, and whether the service has older ones.
 * @param count The number of sessions, a multiple of SESSION_STEP
 */
export const sessions = (
  client: ControlClient,
  filter: Pick<SessionFilter, 'tenantId' | 'labs'>,
  count = SESSION_STEP,
) =>
  query(`sessions ${filter.tenantId} ${filter.labs} ${count}`, ['session'], async () => {
    const items: SessionResource[] = [];
    let before: string | null | undefined;
    do {
      const page = await client.pages.sessions({
        ...filter,
        limit: SESSION_STEP,
        ...(before && { before }),
      });
      items.push(...page.items);
      before = page.next;
    } while (before && items.length < count);
    return { items, hasOlder: Boolean(before) };
  });
