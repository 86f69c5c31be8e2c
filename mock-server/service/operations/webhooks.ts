import * as v from 'valibot';
import type { EndpointControl } from '../../api/endpoints.ts';
import { findScenario, SCENARIO_NAMES, toScenario } from '../../api/scenarios.ts';
import type { SessionResource } from '../../api/sessions.ts';
import type {
  EmailResource,
  Explanation,
  LegacyWebhookResource,
  NoticeResource,
  WebhookControl,
} from '../../api/webhooks.ts';
import {
  deleteLegacyWebhook,
  endpointsOf,
  getLegacyWebhook,
  migrateLegacyWebhook,
  putLegacyWebhook,
} from '../../rules/endpoints.ts';
import { isActivePair, listPairs } from '../../rules/keys.ts';
import { createSession, settleSession } from '../../rules/sessions.ts';
import { getTenant } from '../../rules/tenants.ts';
import {
  explainSignature,
  type KnownSecret,
  readSignature,
  type SentWebhook,
} from '../../send/explain-signature.ts';
import type { Db, Moment } from '../../store/db.ts';
import { ServiceError } from '../../store/errors.ts';
import { EVENT_KINDS } from '../../store/event-kinds.ts';
import { toIso } from '../../store/instant.ts';
import type { EmailRow, EndpointRow, NoticeRow, TenantRow } from '../../store/rows.ts';
import {
  choice,
  filterText,
  optionalAge,
  optionalMode,
  optionalText,
  requiredText,
} from '../schemas/fields.ts';
import { eventKind, flag, id, instant, text, textOrNull } from '../schemas/values.ts';
import {
  aDestination,
  endpointFields,
  endpointResource,
  eventList,
  healthResource,
  toEndpointResource,
  toHealthResource,
  toProductionRefusal,
  validateDestination,
} from './endpoints.ts';
import { type Context, op, type OperationsOf } from './operation.ts';
import { sessionResource, toSessionResource } from './sessions.ts';

const legacyWebhookResource = v.strictObject({
  tenantId: id,
  url: text,
  events: v.array(eventKind),
  hasSecret: flag,
  secret: v.exactOptional(textOrNull),
  createdAt: instant,
  isActive: flag,
  health: healthResource,
  productionRefusal: textOrNull,
});

const emailResource = v.strictObject({
  id,
  tenantId: id,
  to: v.array(text),
  subject: text,
  text,
  createdAt: instant,
});

const noticeResource = v.strictObject({
  id,
  tenantId: id,
  endpointId: id,
  url: text,
  reason: v.picklist(['rejecting', 'failing']),
  text,
  createdAt: instant,
});

const explanation = v.strictObject({
  isValid: flag,
  signedBy: v.nullable(v.strictObject({ endpointId: textOrNull, label: text })),
  findings: v.array(v.strictObject({ code: text, message: text })),
});

const legacyInput = v.object({
  url: aDestination(requiredText('url')),
  events: v.nullish(eventList),
  secret: endpointFields.secret,
});

const explainInput = v.object({
  // An empty body is allowed, because it is a frequent mistake.
  body: v.string('body must be a string'),
  headers: v.nullish(
    v.record(
      v.string(),
      v.string('each value in headers must be a string'),
      'headers must be an object',
    ),
  ),
  signature: optionalText('signature'),
  secret: optionalText('secret'),
  tenantId: optionalText('tenantId'),
});

const triggerInput = v.object({
  name: choice('name', [...SCENARIO_NAMES, ...EVENT_KINDS]),
  tenantId: optionalText('tenantId'),
  externalUserId: optionalText('externalUserId'),
  verificationMode: optionalMode('verificationMode'),
  challengeAge: optionalAge('challengeAge'),
});

const accountFilter = v.object({ tenantId: filterText('tenantId') });

export const webhookOperations = {
  legacyWebhook: op({
    summary: 'Read the legacy webhook',
    idOf: 'legacy',
    response: legacyWebhookResource,
    run: ({ transact }, tenantId) =>
      transact((db, { nowMs }) => toLegacyResource(db, getLegacyWebhook(db, tenantId), nowMs)),
  }),
  putLegacyWebhook: op({
    summary: 'Set the legacy webhook',
    idOf: 'tenant',
    input: legacyInput,
    example: { url: 'https://shop.example/legacy', events: ['session.timeout'] },
    response: legacyWebhookResource,
    async run({ transact, resolveDestination }, tenantId, { url, events, secret }) {
      const normalisedUrl = await validateDestination(url, resolveDestination);
      return transact((db, moment) => {
        const wanted = { url: normalisedUrl, events: events ?? EVENT_KINDS, secret };
        const legacy = putLegacyWebhook(db, tenantId, wanted, moment);
        return { ...toLegacyResource(db, legacy, moment.nowMs), secret: legacy.secret };
      });
    },
  }),
  deleteLegacyWebhook: op({
    summary: 'Delete the legacy webhook',
    idOf: 'legacy',
    response: null,
    run: ({ transact }, tenantId) =>
      transact((db, { nowMs }) => deleteLegacyWebhook(db, tenantId, nowMs)),
  }),
  migrateLegacyWebhook: op({
    summary: 'Convert the legacy webhook to an endpoint',
    idOf: 'legacy',
    response: endpointResource,
    status: 201,
    refusals: [409],
    async run({ transact, resolveDestination }, tenantId) {
      const { url } = await transact((db) => getLegacyWebhook(db, tenantId));
      await validateDestination(url, resolveDestination);
      return transact((db, moment) =>
        toEndpointResource(db, migrateLegacyWebhook(db, tenantId, moment), moment.nowMs),
      );
    },
  }),

  emails: op({
    summary: 'List the emails to owners and admins',
    input: accountFilter,
    response: v.array(emailResource),
    run: ({ transact }, filter) =>
      transact((db) => [...db.all('emails')].filter(isOf(filter)).map(toEmailResource)),
  }),
  notices: op({
    summary: 'List the console’s notices of pauses',
    input: accountFilter,
    response: v.array(noticeResource),
    run: ({ transact }, filter) =>
      transact((db) => [...db.all('notices')].filter(isOf(filter)).map(toNoticeResource)),
  }),
  explainWebhook: op({
    summary: 'Explain why a signature does not verify',
    input: explainInput,
    example: { body: '{}', signature: `sha256=${'0'.repeat(64)}` },
    response: explanation,
    run: (context, input) => explainReceived(context, input),
  }),
  trigger: op({
    summary: 'Trigger an event',
    input: triggerInput,
    example: { name: 'verification.completed', externalUserId: 'anna' },
    response: sessionResource,
    status: 201,
    refusals: [404, 409],
    run: ({ transact }, input) => transact((db, moment) => triggerEvent(db, input, moment)),
  }),
} satisfies OperationsOf<Omit<WebhookControl, keyof EndpointControl>>;

export function toLegacyResource(
  db: Db,
  legacy: EndpointRow,
  nowMs: number,
): LegacyWebhookResource {
  const { tenantId, url, events, secret, createdAtMs } = legacy;
  return {
    tenantId,
    url,
    events,
    hasSecret: secret !== null,
    createdAt: toIso(createdAtMs),
    isActive: endpointsOf(db, tenantId).length === 0,
    health: toHealthResource(db, legacy, nowMs),
    productionRefusal: toProductionRefusal(url),
  };
}

function toEmailResource({ createdAtMs, ...email }: EmailRow): EmailResource {
  return { ...email, createdAt: toIso(createdAtMs) };
}

function toNoticeResource({ createdAtMs, ...notice }: NoticeRow): NoticeResource {
  return { ...notice, createdAt: toIso(createdAtMs) };
}

function isOf({ tenantId }: { tenantId?: string | undefined }) {
  return (row: { readonly tenantId: string }): boolean =>
    tenantId === undefined || row.tenantId === tenantId;
}

/**
 * Compares a received webhook with the webhooks that the service has sent and the secrets that it knows.
 */
async function explainReceived(
  { transact }: Pick<Context, 'transact'>,
  { body, headers, signature, secret, tenantId }: v.InferOutput<typeof explainInput>,
): Promise<Explanation> {
  const received = {
    body,
    headers: signature == null ? { ...headers } : { 'x-ofage-signature': signature },
    secret: secret ?? undefined,
  };
  const isWanted = (id: string): boolean => tenantId == null || id === tenantId;
  const reading = readSignature(received.headers);
  const known = await transact((db) => ({
    secrets: listSecrets(db, isWanted),
    sent: findSent(db, isWanted, reading.signature),
    tenantIds: new Set<string | null>(Array.from(db.all('tenants'), ({ id }) => id)),
  }));
  const explanation = await explainSignature(received, known);
  const { signedBy } = explanation;
  if (!known.tenantIds.has(signedBy?.endpointId ?? null)) return explanation;
  // A legacy webhook's id is the account's, which would not help a reader.
  return { ...explanation, signedBy: signedBy && { ...signedBy, endpointId: 'legacy' } };
}

type IsWanted = (tenantId: string) => boolean;

function listSecrets(db: Db, isWanted: IsWanted): KnownSecret[] {
  return [...db.all('endpoints')]
    .filter(({ tenantId }) => isWanted(tenantId))
    .map((endpoint) => ({
      endpointId: endpoint.id,
      label: endpoint.url,
      secret: endpoint.secret,
    }));
}

/** Finds the stored webhook that was sent with this signature. Test events are not stored. */
function findSent(db: Db, isWanted: IsWanted, signature: string | null): SentWebhook | undefined {
  if (signature === null) return undefined;
  for (const attempt of db.all('attempts')) {
    if (attempt.signature !== signature) continue;
    const delivery = db.get('deliveries', attempt.deliveryId);
    const body = delivery && db.get('events', delivery.eventId)?.body;
    if (!delivery || body == null || !isWanted(delivery.tenantId)) continue;
    return { endpointId: delivery.endpointId, label: delivery.url, body };
  }
  return undefined;
}

/** Creates a session and settles it with a scenario, or with the one that leads to an event. */
function triggerEvent(
  db: Db,
  { name, tenantId, ...fields }: v.InferOutput<typeof triggerInput>,
  moment: Moment,
): SessionResource {
  const tenant = tenantId == null ? firstTenant(db) : getTenant(db, tenantId);
  // Only a pair whose keys are both active could have created the session.
  const pair = listPairs(db, tenant.id).find(isActivePair);
  if (!pair) throw new ServiceError('conflict', 'The account has no active key pair');
  const scenario = toScenario(name);
  const session = createSession(
    db,
    { key: pair.secret, tenant },
    {
      ...fields,
      // Every account allows this address, and no browser ever opens it.
      returnUrl: 'http://localhost/',
      takesNextOutcome: false,
      isFromTool: true,
      ...(findScenario(scenario)?.needsFaceMatch && { faceMatchEnabled: true }),
    },
    moment,
  );
  return toSessionResource(settleSession(db, session.id, scenario, moment));
}

function firstTenant(db: Db): TenantRow {
  const [tenant] = db.all('tenants');
  if (!tenant) throw new ServiceError('not_found', 'The state has no account');
  return tenant;
}
