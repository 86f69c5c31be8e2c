import * as v from 'valibot';
import { toJsonSchema } from '@valibot/to-json-schema';
import { API_VERSION, BRAND } from '../../api/brand.ts';
import { EVENT_KINDS, EVENT_RULES, type EventKind } from '../../store/event-kinds.ts';
import { SIGNATURE_HEADER } from '../../send/signature.ts';
import { toEventBody, type PayloadSession } from '../../rules/payload.ts';
import { ATTEMPT_TIMEOUT_MS } from '../../rules/webhook-limits.ts';
import { age, flag, id, instant, mode, text } from '../schemas/values.ts';

/** Describes the webhooks in AsyncAPI 3, from the table of event kinds. */
export function createWebhookDocument(): object {
  return {
    asyncapi: '3.0.0',
    info: {
      title: `${BRAND} webhooks`,
      version: API_VERSION,
      description: `The events that the service posts to the merchant’s endpoints. A status from 200 to 299 accepts an event. Other statuses, and no response within ${ATTEMPT_TIMEOUT_MS / 1000} seconds, are failures. The same event may arrive more than once, and the order is not guaranteed.`,
    },
    defaultContentType: 'application/json',
    channels: {
      endpoint: {
        // The address is null because the merchant chooses it.
        address: null,
        title: 'A webhook endpoint',
        description: 'An HTTPS URL of the merchant’s server, subscribed to some kinds of event.',
        messages: toReferences('components/messages'),
      },
    },
    operations: Object.fromEntries(EVENT_KINDS.map((kind) => [kind, toOperation(kind)])),
    components: {
      messages: Object.fromEntries(EVENT_KINDS.map((kind) => [kind, toMessage(kind)])),
      messageTraits: { signed: { headers: HEADERS } },
      operationTraits: {
        post: { bindings: { http: { method: 'POST', bindingVersion: '0.3.0' } } },
      },
    },
  };
}

const HEADERS = {
  type: 'object',
  required: ['content-type'],
  properties: {
    'content-type': { const: 'application/json' },
    [SIGNATURE_HEADER]: {
      type: 'string',
      pattern: '^sha256=[0-9a-f]{64}$',
      description:
        'HMAC with SHA-256 over the raw bytes of the body, keyed with the secret of the endpoint. Absent if the endpoint has no secret.',
    },
  },
};

const RETRIES = {
  inline:
    'Attempted up to three times, within seconds. 401, 404 and similar responses end the attempts.',
  durable: 'Retried with growing delays of at most ten minutes, for 24 hours.',
  timeout: 'Attempted up to three times by default, with growing delays.',
};

function toOperation(kind: EventKind): object {
  return {
    action: 'send',
    channel: { $ref: '#/channels/endpoint' },
    summary: EVENT_RULES[kind].summary,
    description: RETRIES[EVENT_RULES[kind].delivery],
    traits: [{ $ref: '#/components/operationTraits/post' }],
    messages: [{ $ref: `#/channels/endpoint/messages/${kind}` }],
  };
}

function toMessage(kind: EventKind): object {
  const { $schema: _schema, ...payload } = toJsonSchema(payloadSchema(kind), {
    // AsyncAPI's schema format is a superset of this draft of JSON Schema.
    target: 'draft-07',
    typeMode: 'input',
  });
  return {
    name: kind,
    summary: EVENT_RULES[kind].summary,
    contentType: 'application/json',
    traits: [{ $ref: '#/components/messageTraits/signed' }],
    payload,
    examples: [{ payload: createExample(kind) }],
  };
}

function toReferences(section: string): object {
  return Object.fromEntries(EVENT_KINDS.map((kind) => [kind, { $ref: `#/${section}/${kind}` }]));
}

const CREATED_AT_MS = Date.UTC(2026, 0, 31, 12);

const EXAMPLE_SESSION: PayloadSession = {
  id: '3f0c9b1e-6f0a-4c55-9d0b-0a5f3f1c7e21',
  tenantId: 'tenant_1',
  createdAtMs: CREATED_AT_MS,
  expiresAtMs: CREATED_AT_MS + 600_000,
  settledAtMs: CREATED_AT_MS + 45_000,
  reason: null,
  externalUserId: 'user-42',
  verificationMode: 'L1',
  challengeAge: 25,
};

const REASONS: Partial<Record<EventKind, string>> = {
  'verification.failed': 'age_not_met',
  'verification.cancelled': 'cancelled',
};

function createExample(kind: EventKind): unknown {
  const { expiresAtMs, settledAtMs } = EXAMPLE_SESSION;
  const endedAtMs = kind === 'session.timeout' ? expiresAtMs : settledAtMs;
  const session = { ...EXAMPLE_SESSION, settledAtMs: endedAtMs, reason: REASONS[kind] ?? null };
  const nowMs = (kind === 'session.started' ? null : endedAtMs) ?? CREATED_AT_MS;
  return JSON.parse(toEventBody({ id: 'evt_1', kind, session, nowMs }));
}

/** The fields in the data of every kind of event. */
const sessionFacts = {
  sessionId: v.pipe(text, v.uuid()),
  verificationMode: mode,
  challengeAge: age,
  timestamp: v.pipe(instant, v.description('Time at which the underlying event occurred')),
  externalUserId: v.pipe(
    v.exactOptional(text),
    v.description('Absent if it was not set when the session was created'),
  ),
};

const EVENT_DATA = {
  'session.started': v.object(sessionFacts),
  'verification.completed': v.object({ ...sessionFacts, verified: v.literal(true) }),
  'verification.failed': v.object({
    ...sessionFacts,
    verified: v.literal(false),
    reason: v.pipe(text, v.description('For example age_not_met')),
  }),
  'verification.cancelled': v.object({
    ...sessionFacts,
    verified: v.literal(false),
    reason: v.literal('cancelled'),
  }),
  'session.timeout': v.object({ ...sessionFacts, expiresAt: instant }),
} satisfies Readonly<Record<EventKind, v.GenericSchema>>;

/**
 * Returns the schema of an event's body. Receivers must accept additional properties, because the service
 * may add some.
 */
function payloadSchema(kind: EventKind): v.GenericSchema {
  const isQueued = EVENT_RULES[kind].delivery !== 'inline';
  const entries: v.ObjectEntries = {
    event: v.literal(kind),
    timestamp: v.pipe(instant, v.description(TIMESTAMPS[EVENT_RULES[kind].delivery])),
    tenantId: id,
    test: v.pipe(flag, v.description('True for a test event, which is not about a real session')),
    data: EVENT_DATA[kind],
    ...(isQueued && {
      eventId: v.pipe(id, v.description('The same in every retry and redelivery of the event')),
    }),
  };
  return v.object(entries);
}

const TIMESTAMPS = {
  inline: 'Time of the first attempt',
  durable: 'Creation time of the event',
  timeout: 'Deadline of the session',
};
