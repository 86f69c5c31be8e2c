import type {
  EmailResource,
  EndpointResource,
  FaultResource,
  KeyPairResource,
  LegacyWebhookResource,
  NoticeResource,
  ScenarioName,
  SessionFilter,
  SessionResource,
  TenantResource,
} from 'ofage/mock';
import type { ControlClient } from 'ofage/mock/client';
import type { Query } from '../shared/live.ts';

// The queries that several pages share. Equal keys share one read.

export const accounts = (client: ControlClient): Query<readonly TenantResource[]> => ({
  key: 'accounts',
  topics: ['tenant'],
  read: () => client.tenants(),
});

/** The account's key pairs, oldest first. */
export const pairs = (
  client: ControlClient,
  tenantId: string,
): Query<readonly KeyPairResource[]> => ({
  key: `pairs ${tenantId}`,
  topics: ['key'],
  read: () => client.keyPairs(tenantId),
});

export const endpoints = (
  client: ControlClient,
  tenantId: string,
): Query<readonly EndpointResource[]> => ({
  key: `endpoints ${tenantId}`,
  topics: ['endpoint'],
  read: () => client.endpoints(tenantId),
});

/**
 * The legacy webhook, which most accounts do not have. The result is an object, because a plain null would
 * mean that nothing is loaded yet.
 */
export const legacyWebhook = (
  client: ControlClient,
  tenantId: string,
): Query<{ readonly legacy: LegacyWebhookResource | null }> => ({
  key: `legacy ${tenantId}`,
  topics: ['tenant', 'endpoint', 'delivery'],
  async read() {
    // A request for a missing legacy webhook would be logged as an error in the browser's console.
    const { hasLegacyWebhook } = await client.tenant(tenantId);
    return { legacy: hasLegacyWebhook ? await client.legacyWebhook(tenantId) : null };
  },
});

/** The pauses of endpoints, newest first, each with the email that production would send about it. */
export const pauses = (
  client: ControlClient,
  tenantId: string,
): Query<{
  readonly notices: readonly NoticeResource[];
  readonly emails: readonly EmailResource[];
}> => ({
  key: `pauses ${tenantId}`,
  topics: ['endpoint'],
  async read() {
    const [notices, emails] = await Promise.all([
      client.notices({ tenantId }),
      client.emails({ tenantId }),
    ]);
    return { notices: notices.toReversed(), emails };
  },
});

/** The faults of the account, and those of all accounts. */
export const faults = (
  client: ControlClient,
  tenantId: string,
): Query<readonly FaultResource[]> => ({
  key: `faults ${tenantId}`,
  topics: ['fault'],
  read: async () =>
    (await client.faults()).filter((one) => one.tenantId === null || one.tenantId === tenantId),
});

/** The queued outcomes, of which each new session takes the first. */
export const nextOutcomes = (
  client: ControlClient,
  tenantId: string,
): Query<readonly ScenarioName[]> => ({
  key: `outcomes ${tenantId}`,
  topics: ['tenant', 'session'],
  read: () => client.nextOutcomes(tenantId),
});

/** The catalogue of outcomes, which never changes. */
export const scenarios = (
  client: ControlClient,
): Query<Awaited<ReturnType<ControlClient['scenarios']>>> => ({
  key: 'scenarios',
  topics: [],
  read: () => client.scenarios(),
});

export interface SessionList {
  /** The newest sessions, newest first. */
  readonly items: readonly SessionResource[];
  /** True if the service has older ones. */
  readonly hasOlder: boolean;
}

/** The number of sessions that a page reads at first, which is the largest page of the service. */
export const SESSION_STEP = 1_000;

/** The account's newest sessions. @param count The number of sessions, a multiple of SESSION_STEP */
export const sessions = (
  client: ControlClient,
  filter: Pick<SessionFilter, 'tenantId' | 'labs'>,
  count = SESSION_STEP,
): Query<SessionList> => ({
  key: `sessions ${filter.tenantId} ${filter.labs} ${count}`,
  topics: ['session'],
  async read() {
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
  },
});
