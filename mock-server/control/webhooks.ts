import type { Db } from '../core/db.ts';
import { ServiceError } from '../core/errors.ts';
import type { Transaction } from '../core/store.ts';
import type { EventKind, TenantRow } from '../core/tables.ts';
import {
  explainSignature,
  type Explanation,
  type KnownSecret,
} from '../delivery/explain-signature.ts';
import type { ExplainInput, LegacyWebhookInput, TriggerInput } from './input-types.ts';
import type { Destination } from '../delivery/destination.ts';
import type { WebhookTester } from '../delivery/webhook-tester.ts';
import { EVENT_KINDS } from '../rules/endpoints.ts';
import {
  deleteLegacyWebhook,
  getLegacyWebhook,
  migrateLegacyWebhook,
  putLegacyWebhook,
} from '../rules/legacy-webhook.ts';
import { isActivePair, listPairs } from '../rules/keys.ts';
import type { Moment } from '../rules/moment.ts';
import { parseInput } from '../rules/parse-input.ts';
import { redeliver, type Redelivery } from '../rules/redelivery.ts';
import { findScenario, type ScenarioName } from '../rules/scenarios.ts';
import { settleSession } from '../rules/session-life.ts';
import { createSession } from '../rules/sessions.ts';
import { getTenant } from '../rules/tenants.ts';
import { legacyInput } from './inputs.ts';
import { judge } from './judge.ts';
import { explainInput, triggerInput } from './webhook-inputs.ts';
import {
  toEndpointResource,
  toSessionResource,
  type EndpointResource,
  type SessionResource,
} from './resources.ts';
import {
  toEmailResource,
  toLegacyResource,
  toNoticeResource,
  toTestResource,
  type EmailResource,
  type LegacyWebhookResource,
  type NoticeResource,
  type WebhookTestResource,
} from './webhook-resources.ts';

/** What the dashboard's webhook buttons do. */
export interface WebhookControl {
  /** Sends a test event. It ends no pause, and is allowed on every endpoint that is enabled. */
  testEndpoint(id: string): Promise<WebhookTestResource>;
  /** Sends a test event; a 2xx ends the pause. Nothing that was not delivered is sent. */
  resumeEndpoint(id: string): Promise<WebhookTestResource>;
  /** Queues up to 500 undelivered events of the last seven days again, once the endpoint delivers. */
  redeliver(endpointId: string): Promise<Redelivery>;

  legacyWebhook(tenantId: string): Promise<LegacyWebhookResource>;
  /** Sets the single webhook of older accounts, which gets events while there is no endpoint. */
  putLegacyWebhook(tenantId: string, input: LegacyWebhookInput): Promise<LegacyWebhookResource>;
  deleteLegacyWebhook(tenantId: string): Promise<void>;
  /** Makes it an endpoint with the same address, secret and events. */
  migrateLegacyWebhook(tenantId: string): Promise<EndpointResource>;

  /** What was mailed to owners and admins, oldest first. */
  emails(filter?: { tenantId?: string | undefined }): Promise<EmailResource[]>;
  /** The dashboard's notices of pauses, oldest first. */
  notices(filter?: { tenantId?: string | undefined }): Promise<NoticeResource[]>;
  /** Says why a signature does not verify. */
  explainWebhook(input: ExplainInput): Promise<Explanation>;
  /** Makes an event happen: creates a session and lets a scenario, or what an event reports, happen to it. */
  trigger(input: TriggerInput): Promise<SessionResource>;
}

export interface WebhookControlParts {
  transact<T>(run: Transaction<T>): Promise<T>;
  momentIn(db: Db): Moment;
  judgeDestination(url: string): Promise<Destination>;
  readonly tester: WebhookTester;
}

export function createWebhookControl(parts: WebhookControlParts): WebhookControl {
  const { transact, momentIn, tester, judgeDestination } = parts;

  async function test(id: string, isResume: boolean): Promise<WebhookTestResource> {
    const result = await tester.test(id, { isResume });
    return toTestResource(result);
  }

  return {
    testEndpoint: (id) => test(id, false),
    resumeEndpoint: (id) => test(id, true),
    redeliver: (id) => transact((db) => redeliver(db, id, momentIn(db).nowMs)),

    legacyWebhook: (tenantId) =>
      transact((db) => toLegacyResource(db, getLegacyWebhook(db, tenantId), momentIn(db).nowMs)),
    async putLegacyWebhook(tenantId, input) {
      const { url, events, secret } = parseInput(legacyInput, input);
      const judged = await judge(url, judgeDestination);
      return transact((db) => {
        const moment = momentIn(db);
        const wanted = { url: judged, events: events ?? EVENT_KINDS, secret };
        const legacy = putLegacyWebhook(db, tenantId, wanted, moment);
        return { ...toLegacyResource(db, legacy, moment.nowMs), secret: legacy.secret };
      });
    },
    deleteLegacyWebhook: (tenantId) =>
      transact((db) => deleteLegacyWebhook(db, tenantId, momentIn(db).nowMs)),
    async migrateLegacyWebhook(tenantId) {
      const { url } = await transact((db) => getLegacyWebhook(db, tenantId));
      await judge(url, judgeDestination);
      return transact((db) => {
        const moment = momentIn(db);
        return toEndpointResource(db, migrateLegacyWebhook(db, tenantId, moment), moment.nowMs);
      });
    },

    emails: ({ tenantId } = {}) =>
      transact((db) =>
        [...db.all('emails')]
          .filter((email) => tenantId === undefined || email.tenantId === tenantId)
          .map(toEmailResource),
      ),
    notices: ({ tenantId } = {}) =>
      transact((db) =>
        [...db.all('notices')]
          .filter((notice) => tenantId === undefined || notice.tenantId === tenantId)
          .map(toNoticeResource),
      ),
    async explainWebhook(input) {
      const { body, headers, signature, secret, tenantId } = parseInput(explainInput, input);
      const known = await transact((db) => ({
        secrets: listSecrets(db, tenantId ?? undefined),
        bodies: listBodies(db, tenantId ?? undefined),
      }));
      const received = {
        body,
        headers: { ...headers, ...(signature != null && { 'x-ofage-signature': signature }) },
        secret: secret ?? undefined,
      };
      return explainSignature(received, known.secrets, known.bodies);
    },
    trigger: (input) =>
      transact((db) => {
        const { name, tenantId, externalUserId } = parseInput(triggerInput, input);
        const tenant = tenantId == null ? firstTenant(db) : getTenant(db, tenantId);
        // Without its publishable key a session of the pair could not be launched.
        const pair = listPairs(db, tenant.id).find(isActivePair);
        if (!pair) throw new ServiceError('conflict', 'The account has no key pair that is active');
        const scenario = SCENARIO_OF[name as EventKind] ?? (name as ScenarioName);
        const moment = momentIn(db);
        const session = createSession(
          db,
          { key: pair.secret, tenant },
          {
            returnUrl: 'http://localhost/',
            externalUserId,
            takesNextOutcome: false,
            ...(findScenario(scenario)?.needsFaceMatch && { faceMatchEnabled: true }),
          },
          moment,
        );
        return toSessionResource(settleSession(db, session.id, scenario, moment));
      }),
  };
}

/** The scenario that leads to an event. */
const SCENARIO_OF: Readonly<Record<EventKind, ScenarioName>> = {
  'session.started': 'never',
  'verification.completed': 'verified',
  'verification.failed': 'failed_age_not_met',
  'verification.cancelled': 'cancelled',
  'session.timeout': 'timeout',
};

function firstTenant(db: Db): TenantRow {
  const [tenant] = db.all('tenants');
  if (!tenant) throw new ServiceError('not_found', 'There is no account');
  return tenant;
}

function listSecrets(db: Db, tenantId: string | undefined): KnownSecret[] {
  const isWanted = (id: string): boolean => tenantId === undefined || id === tenantId;
  const endpoints = [...db.all('endpoints')].filter((endpoint) => isWanted(endpoint.tenantId));
  const legacy = [...db.all('legacyWebhooks')].filter(({ id }) => isWanted(id));
  return [
    ...endpoints.map(({ id, url, secret }) => ({ endpointId: id, label: url, secret })),
    ...legacy.map(({ url, secret }) => ({ endpointId: 'legacy', label: url, secret })),
  ].flatMap(({ secret, ...rest }) => (secret === null ? [] : [{ ...rest, secret }]));
}

/** The newest texts that were sent. */
function listBodies(db: Db, tenantId: string | undefined): string[] {
  const bodies: string[] = [];
  for (const event of db.all('events')) {
    if (event.body !== null && (tenantId === undefined || event.tenantId === tenantId))
      bodies.push(event.body);
  }
  return bodies.slice(-1_000);
}
