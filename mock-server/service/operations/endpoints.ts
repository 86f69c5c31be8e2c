import * as v from 'valibot';
import type {
  EndpointControl,
  EndpointResource,
  HealthResource,
  WebhookTestResource,
} from '../../api/endpoints.ts';
import { isLabHook } from '../../doctor/records.ts';
import {
  createEndpoint,
  deleteEndpoint,
  endpointsOf,
  getEndpoint,
  type NewEndpoint,
  redeliver,
  rotateSecret,
  updateEndpoint,
} from '../../rules/endpoints.ts';
import { getCurrentLane, getHealth, listHealth, nextStart, stateOf } from '../../rules/lanes.ts';
import { getTenant } from '../../rules/tenants.ts';
import { checkSpelling, type Destination, DESTINATION_MESSAGES } from '../../send/destination.ts';
import type { TestResult } from '../../send/engine.ts';
import type { Db } from '../../store/db.ts';
import { ServiceError } from '../../store/errors.ts';
import { EVENT_KINDS } from '../../store/event-kinds.ts';
import { toIso, toIsoOrNull } from '../../store/instant.ts';
import type { EndpointRow } from '../../store/rows.ts';
import { choice, inOneLine, optionalFlag, optionalText, requiredText } from '../schemas/fields.ts';
import {
  count,
  eventKind,
  flag,
  id,
  instant,
  instantOrNull,
  text,
  textOrNull,
} from '../schemas/values.ts';
import { type Context, op, type OperationsOf } from './operation.ts';

export const healthResource = v.strictObject({
  state: v.picklist(['new', 'healthy', 'failing', 'paused', 'disabled']),
  consecutiveFailures: count,
  failingSince: instantOrNull,
  lastFailureAt: instantOrNull,
  lastSuccessAt: instantOrNull,
  pausedAt: instantOrNull,
  pauseReason: textOrNull,
  notice: textOrNull,
  undelivered: count,
  mayRedeliver: flag,
  pending: count,
  nextAttemptAt: instantOrNull,
});

export const endpointResource = v.strictObject({
  id,
  tenantId: id,
  url: text,
  events: v.array(eventKind),
  pairId: textOrNull,
  enabled: flag,
  hasSecret: flag,
  isLab: flag,
  createdAt: instant,
  health: healthResource,
  productionRefusal: textOrNull,
});

const newEndpointResource = v.strictObject({
  ...endpointResource.entries,
  secret: textOrNull,
});

const webhookTest = v.strictObject({
  success: flag,
  resumed: flag,
  httpStatus: v.nullable(count),
  error: textOrNull,
  durationMs: count,
});

const redelivery = v.strictObject({ queued: count, remaining: count });

/** Pattern for the form of every destination: see send/destination.ts. */
const DESTINATION_PATTERN =
  // oxlint-disable-next-line no-control-regex -- the pattern matches control characters
  /^[Hh][Tt][Tt][Pp][Ss]?:\/\/[^\x00-\x20\x7f-\x9f\s\\/][^\x00-\x20\x7f-\x9f\s\\]*$/;

export const aDestination = <const S extends v.GenericSchema<unknown, string>>(text: S) =>
  v.pipe(
    text,
    v.url(DESTINATION_MESSAGES.invalid_url),
    v.regex(DESTINATION_PATTERN, ({ input }) =>
      /^(?!https?:)[a-z][a-z\d+.-]*:/i.test(input)
        ? DESTINATION_MESSAGES.not_https
        : DESTINATION_MESSAGES.invalid_url,
    ),
  );

const MAX_EVENTS = 20;

export const eventList = v.pipe(
  v.array(choice('each value in events', EVENT_KINDS), 'events must be an array of event kinds'),
  v.nonEmpty('events should not be empty'),
  v.maxLength(MAX_EVENTS, `events must contain no more than ${MAX_EVENTS} elements`),
);

export const endpointFields = {
  pairId: optionalText('pairId'),
  enabled: optionalFlag('enabled'),
  // If absent, a new endpoint gets a generated secret, and an existing one keeps its secret. If null,
  // deliveries are not signed.
  secret: v.nullish(
    v.pipe(
      v.string('secret must be a string'),
      v.nonEmpty('secret should not be empty'),
      inOneLine('secret'),
    ),
  ),
};

export const endpointInput = v.object({
  url: aDestination(requiredText('url')),
  events: v.nullish(eventList),
  ...endpointFields,
});

const endpointChange = v.object({
  url: v.nullish(aDestination(v.string('url must be a string'))),
  events: v.nullish(eventList),
  ...endpointFields,
});

export const endpointOperations = {
  endpoints: op({
    summary: 'List the webhook endpoints of an account',
    idOf: 'tenant',
    response: v.array(endpointResource),
    run: ({ transact }, tenantId) =>
      transact((db, { nowMs }) =>
        endpointsOf(db, getTenant(db, tenantId).id).map((endpoint) =>
          toEndpointResource(db, endpoint, nowMs),
        ),
      ),
  }),
  createEndpoint: op({
    summary: 'Add a webhook endpoint',
    idOf: 'tenant',
    input: endpointInput,
    example: { url: 'https://shop.example/webhooks', events: ['verification.completed'] },
    response: newEndpointResource,
    status: 201,
    refusals: [409],
    async run({ transact, resolveDestination }, tenantId, input) {
      const endpoint = await toNewEndpoint(input, resolveDestination);
      return transact((db, moment) => {
        const created = createEndpoint(db, tenantId, endpoint, moment);
        return { ...toEndpointResource(db, created, moment.nowMs), secret: created.secret };
      });
    },
  }),
  endpoint: op({
    summary: 'Get an endpoint',
    idOf: 'endpoint',
    response: endpointResource,
    run: ({ transact }, id) =>
      transact((db, { nowMs }) => toEndpointResource(db, getEndpoint(db, id), nowMs)),
  }),
  updateEndpoint: op({
    summary: 'Change an endpoint',
    idOf: 'endpoint',
    input: endpointChange,
    example: { enabled: false },
    response: endpointResource,
    async run({ transact, resolveDestination }, id, { url, events, enabled, ...rest }) {
      const wanted = {
        ...rest,
        url: url == null ? undefined : await validateDestination(url, resolveDestination),
        events: events ?? undefined,
        enabled: enabled ?? undefined,
      };
      return transact((db, { nowMs }) =>
        toEndpointResource(db, updateEndpoint(db, id, wanted, nowMs), nowMs),
      );
    },
  }),
  deleteEndpoint: op({
    summary: 'Delete an endpoint',
    idOf: 'endpoint',
    response: null,
    run: ({ transact }, id) => transact((db, { nowMs }) => deleteEndpoint(db, id, nowMs)),
  }),

  testEndpoint: op({
    summary: 'Send a test event',
    idOf: 'endpoint',
    response: webhookTest,
    refusals: [409],
    run: async ({ tester }, id) => toTestResource(await tester.test(id, { isResume: false })),
  }),
  resumeEndpoint: op({
    summary: 'Send a test event and end the pause if it is accepted',
    idOf: 'endpoint',
    response: webhookTest,
    refusals: [409],
    run: async ({ tester }, id) => toTestResource(await tester.test(id, { isResume: true })),
  }),
  redeliver: op({
    summary: 'Redeliver undelivered events',
    idOf: 'endpoint',
    response: redelivery,
    refusals: [409],
    run: ({ transact }, id) => transact((db, { nowMs }) => redeliver(db, id, nowMs)),
  }),
  rotateSecret: op({
    summary: 'Generate a new secret, which signs from the next request on',
    idOf: 'endpoint',
    response: newEndpointResource,
    run: ({ transact }, id) =>
      transact((db, moment) => {
        const rotated = rotateSecret(db, id, moment);
        return { ...toEndpointResource(db, rotated, moment.nowMs), secret: rotated.secret };
      }),
  }),
} satisfies OperationsOf<EndpointControl>;

/** Adds the defaults to a new endpoint and validates its destination. */
export async function toNewEndpoint(
  { url, events, pairId, enabled, secret }: v.InferOutput<typeof endpointInput>,
  resolveDestination: Context['resolveDestination'],
): Promise<NewEndpoint> {
  return {
    url: await validateDestination(url, resolveDestination),
    events: events ?? EVENT_KINDS,
    pairId: pairId ?? null,
    enabled: enabled ?? true,
    secret,
  };
}

/**
 * Validates the URL of an endpoint that is being configured.
 * @returns the normalised URL
 * @throws {ServiceError} invalid_body with a message that reveals nothing about our network
 */
export async function validateDestination(
  url: string,
  resolveDestination: (url: string) => Promise<Destination>,
): Promise<string> {
  const verdict = await resolveDestination(url);
  if (verdict.kind === 'allowed') return verdict.url;
  const message = DESTINATION_MESSAGES[verdict.error];
  throw new ServiceError('invalid_body', message, [message]);
}

export function toEndpointResource(db: Db, endpoint: EndpointRow, nowMs: number): EndpointResource {
  const { id, tenantId, url, events, pairId, enabled, secret, createdAtMs } = endpoint;
  return {
    id,
    tenantId,
    url,
    events,
    pairId,
    enabled,
    hasSecret: secret !== null,
    isLab: isLabHook(endpoint),
    createdAt: toIso(createdAtMs),
    health: toHealthResource(db, endpoint, nowMs),
    productionRefusal: toProductionRefusal(url),
  };
}

export function toHealthResource(db: Db, endpoint: EndpointRow, nowMs: number): HealthResource {
  const { id, pause } = endpoint;
  const present = getCurrentLane(db, id);
  const health = getHealth(db, present.id);
  const state = stateOf(present, health);
  const lanes = listHealth(db, id);
  const count = (queue: 'deadlines' | 'leases'): number =>
    lanes.reduce((sum, lane) => sum + db.size(queue, lane.id), 0);
  const starts = lanes.flatMap((lane) => nextStart(db, { ...lane, endpoint }, nowMs)?.atMs ?? []);
  // Covers all addresses, because people want to know when the endpoint last accepted a request.
  const successes = lanes.flatMap(({ lastSuccessAtMs }) => lastSuccessAtMs ?? []);
  // Finds the notice by its time. Its id is not reliable, because the notice of a migrated legacy webhook
  // keeps an id that contains the id of the legacy webhook.
  const notice = db
    .find('notices', 'endpointId', id)
    .find(({ createdAtMs }) => createdAtMs === pause?.atMs);
  return {
    state,
    consecutiveFailures: health.consecutiveFailures,
    failingSince: toIsoOrNull(health.failingSinceMs),
    lastFailureAt: toIsoOrNull(health.lastFailureAtMs),
    lastSuccessAt: successes.length === 0 ? null : toIso(Math.max(...successes)),
    pausedAt: toIsoOrNull(pause?.atMs ?? null),
    pauseReason: pause?.reason ?? null,
    notice: notice?.text ?? null,
    undelivered: db.size('undelivered', id),
    mayRedeliver: state === 'healthy',
    pending: count('deadlines') + count('leases'),
    nextAttemptAt: starts.length === 0 ? null : toIso(Math.min(...starts)),
  };
}

/**
 * Returns the error that production would return for the URL, or null if production would accept it. Host
 * names are not resolved.
 */
export function toProductionRefusal(url: string): string | null {
  const verdict = checkSpelling(url);
  return verdict.kind === 'refused' ? DESTINATION_MESSAGES[verdict.error] : null;
}

function toTestResource({ outcome, isResumed }: TestResult): WebhookTestResource {
  const { httpStatus, error, durationMs } = outcome;
  return { success: outcome.class === 'ok', resumed: isResumed, httpStatus, error, durationMs };
}
