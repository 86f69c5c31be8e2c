import type {
  DeliveryFilter,
  FaultResource,
  SessionFilter,
  SessionResource,
  SessionSearch,
  SessionStatisticsFilter,
} from 'ofage-mock';
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

/**
 * The pauses of endpoints, newest first, and the emails that production would send about them. An email has
 * the id of its notice.
 */
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

/** Tells whether there is an address for other devices. */
export const hasPublicAddress = (client: ControlClient) =>
  query('has public address', [], async () => ({
    isPublic: (await client.publicAddress()).url !== null,
  }));

/**
 * The address for other devices. The time of its last request changes without a message of the service.
 */
export const publicAddress = (client: ControlClient) => ({
  ...query('public address', ['session'], () => client.publicAddress()),
  everyMs: 2_000,
  isAwaited: false,
});

/** The faults of the account, and those of all accounts. */
export const faults = (client: ControlClient, tenantId: string) =>
  query(`faults ${tenantId}`, ['fault'], async () => {
    const isShown = (one: FaultResource) => one.tenantId === null || one.tenantId === tenantId;
    return (await client.faults()).filter(isShown);
  });

/** The queued outcomes, of which each new session takes the first. */
export const nextOutcomes = (client: ControlClient, tenantId: string) =>
  query(`outcomes ${tenantId}`, ['tenant', 'session'], () => client.nextOutcomes(tenantId));

/**
 * What the account has not tried yet. The doctor examines all records, so it is asked at most once a second,
 * and no action waits for it.
 */
export const untried = (client: ControlClient, tenantId: string) => ({
  ...query(
    `untried ${tenantId}`,
    ['session', 'request', 'delivery', 'endpoint'],
    async () => (await client.doctor({ tenantId })).untried,
  ),
  gatherMs: 1_000,
  isAwaited: false,
});

/** The catalogue of outcomes, which never changes. */
export const scenarios = (client: ControlClient) =>
  query('scenarios', [], () => client.scenarios());

/** The number of rows of a page of sessions. */
export const PAGE_SIZE = 25;

/** The number of rows of a page of deliveries. They have all their attempts, so there are fewer of them. */
const DELIVERIES = 10;

/** One page of the deliveries that match a filter, oldest first. */
export const deliveries = (client: ControlClient, filter: DeliveryFilter) =>
  query(`deliveries ${JSON.stringify(filter)}`, ['delivery'], () =>
    client.pages.deliveries({ ...filter, limit: DELIVERIES }),
  );

/** One page of the account's sessions, newest first. */
export const sessions = (client: ControlClient, filter: SessionFilter) =>
  query(`sessions ${JSON.stringify(filter)}`, ['session'], () => client.pages.sessions(filter));

/** Reads all sessions that match a filter, newest first, page by page. */
export async function readAllSessions(
  client: ControlClient,
  filter: SessionSearch,
): Promise<SessionResource[]> {
  const items: SessionResource[] = [];
  let before: string | null | undefined;
  do {
    const page = await client.pages.sessions({
      ...filter,
      limit: 1_000,
      before: before ?? undefined,
    });
    items.push(...page.items);
    before = page.next;
  } while (before !== null);
  return items;
}

/**
 * Counts of all sessions that match a filter. The service looks at all of them, so they are read at most
 * once a second, and no action waits for them.
 */
export const sessionStatistics = (client: ControlClient, filter: SessionStatisticsFilter) => ({
  ...query(`session statistics ${JSON.stringify(filter)}`, ['session'], () =>
    client.sessionStatistics(filter),
  ),
  gatherMs: 1_000,
  isAwaited: false,
});
