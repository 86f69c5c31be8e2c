import type * as v from 'valibot';
import { toJsonSchema } from '@valibot/to-json-schema';
import { API_VERSION, BRAND } from '../../api/brand.ts';
import { tenantResource } from '../operations/accounts.ts';
import { changeResource } from '../operations/changes.ts';
import { clockReading } from '../operations/clock.ts';
import { deliveryResource, eventResource } from '../operations/deliveries.ts';
import { endpointResource } from '../operations/endpoints.ts';
import { faultResource } from '../operations/faults.ts';
import { keyPairResource, keyResource } from '../operations/keys.ts';
import { reportResource } from '../operations/reports.ts';
import { requestResource } from '../operations/requests.ts';
import { sessionResource } from '../operations/sessions.ts';
import { scenarioResource, snapshotBody } from '../operations/state.ts';
import type { DescribedOperation } from './api-operation.ts';
import { controlOperations } from './control.ts';
import { hostedOperations, hostedSession } from './hosted.ts';
import { problem } from './respond.ts';
import { apiOperations, createdSession, validation } from './sessions.ts';

/** All operations of the service, by tag. */
export const OPERATIONS: Readonly<Record<string, readonly DescribedOperation[]>> = {
  API: apiOperations,
  'Hosted page': hostedOperations,
  Control: controlOperations,
};

/** The schemas that have a name, so that the document contains each of them once. */
const NAMED: Readonly<Record<string, v.GenericSchema>> = {
  Problem: problem,
  CreatedSession: createdSession,
  Validation: validation,
  HostedSession: hostedSession,
  Clock: clockReading,
  Tenant: tenantResource,
  Key: keyResource,
  KeyPair: keyPairResource,
  Session: sessionResource,
  Event: eventResource,
  Fault: faultResource,
  Request: requestResource,
  Change: changeResource,
  Report: reportResource,
  Endpoint: endpointResource,
  Delivery: deliveryResource,
  Scenario: scenarioResource,
  Snapshot: snapshotBody,
};

type Json = Record<string, unknown>;

/**
 * Describes the service in OpenAPI 3.1, from the schemas that check its bodies. The caller adds the
 * server's address.
 */
export function createDocument(): Json {
  const paths: Record<string, Json> = {};
  for (const [tag, operations] of Object.entries(OPERATIONS)) {
    for (const operation of operations) {
      paths[operation.path] = {
        ...paths[operation.path],
        [operation.method]: toOperation(operation, tag),
      };
    }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: `${BRAND} mock`,
      version: API_VERSION,
      description:
        'The API under /api/v1, the hosted page’s API under /hosted/v1, and the mock’s own control API under /control/v1, which production does not have.',
    },
    tags: Object.keys(OPERATIONS).map((name) => ({ name })),
    paths,
    components: {
      schemas: Object.fromEntries(
        Object.entries(NAMED).map(([name, schema]) => [name, toSchema(schema, name)]),
      ),
      headers: RATE_HEADERS,
      securitySchemes: {
        apiKey: { type: 'http', scheme: 'bearer', description: 'A key: pk_… or sk_…' },
        apiKeyHeader: { type: 'apiKey', in: 'header', name: 'x-api-key' },
        secretKey: { type: 'http', scheme: 'bearer', description: 'A secret key: sk_…' },
        sessionToken: {
          type: 'http',
          scheme: 'bearer',
          description: 'The sessionToken, or on a second device the handoffToken',
        },
      },
    },
  };
}

const header = (description: string): Json => ({ description, schema: { type: 'integer' } });

const RATE_HEADERS = {
  'X-RateLimit-Limit': header('Maximum number of requests per window'),
  'X-RateLimit-Window': header('Length of a window, in seconds'),
  'X-RateLimit-Remaining': header('Remaining requests in this window'),
  'X-RateLimit-Retry-After': header('Time until the window ends, in seconds; only with 429'),
};

function toOperation(operation: DescribedOperation, tag: string): Json {
  const { summary, body, bodyRules, example } = operation;
  return {
    tags: [tag],
    operationId: toOperationId(operation),
    summary,
    security: SECURITY[operation.security],
    ...(parametersOf(operation).length > 0 && { parameters: parametersOf(operation) }),
    ...(body && {
      requestBody: {
        // The body is optional if all of its properties are.
        required: !isEmptyAllowed(body),
        content: {
          'application/json': {
            schema: { ...toBodySchema(body), ...bodyRules },
            ...(example && { example }),
          },
        },
      },
    }),
    responses: toResponses(operation),
  };
}

const SECURITY: Readonly<Record<DescribedOperation['security'], readonly Json[]>> = {
  apiKey: [{ apiKey: [] }, { apiKeyHeader: [] }],
  secretKey: [{ secretKey: [] }, { apiKeyHeader: [] }],
  sessionToken: [{ sessionToken: [] }],
  loopback: [],
};

/** Returns an operation's id: `postControlClockAdvance` for `POST /control/v1/clock/advance`. */
function toOperationId({ method, path }: DescribedOperation): string {
  const words = path.split(/[^a-zA-Z]+/).filter((word) => word !== '' && word !== 'v');
  return [method, ...words.map((word) => word.charAt(0).toUpperCase() + word.slice(1))].join('');
}

function parametersOf({ path, idOf, query }: DescribedOperation): Json[] {
  const inPath = path.includes('{id}')
    ? [
        {
          name: 'id',
          in: 'path',
          required: true,
          description: `Id of the ${idOf === 'legacy' ? 'tenant' : idOf}`,
          schema: STRING,
        },
      ]
    : [];
  const inQuery = Object.entries(query?.entries ?? {}).map(([name, schema]) => ({
    name,
    in: 'query',
    required: false,
    schema: toSchema(schema as v.GenericSchema),
  }));
  return [...inPath, ...inQuery];
}

const STRING = { type: 'string' };

/** Error statuses that the document lists for every operation with this kind of authentication. */
const ALWAYS: Readonly<Record<DescribedOperation['security'], readonly number[]>> = {
  apiKey: [400, 500],
  secretKey: [400, 500],
  sessionToken: [400, 500],
  loopback: [400, 403, 500],
};

/** Additional error statuses of an operation that reads a body. */
const WITH_BODY: readonly number[] = [413, 415];

function toResponses(operation: DescribedOperation): Json {
  const { success, response, refusals, security, body } = operation;
  const isApi = security === 'apiKey' || security === 'secretKey';
  const headers = isApi && {
    headers: Object.fromEntries(
      Object.keys(RATE_HEADERS).map((name) => [name, { $ref: `#/components/headers/${name}` }]),
    ),
  };
  const possible = [...ALWAYS[security], ...(body ? WITH_BODY : []), ...refusals];
  const statuses = [...new Set(possible)].sort((a, b) => a - b);
  return {
    [success]: { description: 'Done', ...headers, ...contentOf(response) },
    ...Object.fromEntries(
      statuses.map((status) => [
        status,
        { description: 'Refused', ...headers, ...contentOf(problem) },
      ]),
    ),
  };
}

function contentOf(response: DescribedOperation['response']): Json {
  if (response === null) return {};
  if (typeof response === 'string') return { content: { [response]: { schema: STRING } } };
  return { content: { 'application/json': { schema: toSchema(response) } } };
}

/** @param self The schema's own name, to which it must not refer. */
function toSchema(schema: v.GenericSchema, self?: string): Json {
  const { [self ?? '']: _self, ...definitions } = NAMED;
  const {
    $schema: _schema,
    $defs: _defs,
    ...json
  } = toJsonSchema(schema, {
    target: 'draft-2020-12',
    typeMode: 'input',
    // Rules that JSON Schema cannot express, such as the allowed domains of an account, are left out here.
    // The refusals document them.
    errorMode: 'ignore',
    definitions,
    overrideRef: ({ referenceId }) => `#/components/schemas/${referenceId}`,
  });
  return json as Json;
}

/** Converts a body's schema and forbids additional properties, because the service refuses unknown ones. */
function toBodySchema(schema: v.GenericSchema): Json {
  return close(toSchema(schema)) as Json;
}

function close(json: unknown): unknown {
  if (Array.isArray(json)) return json.map(close);
  if (typeof json !== 'object' || json === null) return json;
  const closed = Object.fromEntries(
    Object.entries(json).map(([name, part]) => [name, close(part)]),
  );
  const isObject = closed['type'] === 'object' && 'properties' in closed;
  return isObject ? { additionalProperties: false, ...closed } : closed;
}

function isEmptyAllowed(schema: v.GenericSchema): boolean {
  // Passes the schema's own name, because a bare reference would not list the required properties.
  const self = Object.keys(NAMED).find((name) => NAMED[name] === schema);
  const { required } = toSchema(schema, self);
  return !Array.isArray(required) || required.length === 0;
}
