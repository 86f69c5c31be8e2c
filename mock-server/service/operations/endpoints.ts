import * as v from 'valibot';
import type { EndpointControl } from '../../api/endpoints.ts';
import {
  createEndpoint,
  deleteEndpoint,
  endpointsOf,
  getEndpoint,
  type NewEndpoint,
  updateEndpoint,
} from '../../rules/endpoints.ts';
import { getTenant } from '../../rules/tenants.ts';
import { EVENT_KINDS } from '../../store/event-kinds.ts';
import { toEndpointResource } from '../to-wire.ts';
import type { Context } from './context.ts';
import { endpointChange, endpointInput } from './inputs.ts';
import { op, type OperationsOf } from './operation.ts';
import { validateDestination } from './validate-destination.ts';
import * as show from './schemas/webhooks.ts';

export const endpointOperations = {
  endpoints: op({
    summary: 'List the webhook endpoints of an account',
    idOf: 'tenant',
    response: v.array(show.endpoint),
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
    response: show.newEndpoint,
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
    response: show.endpoint,
    run: ({ transact }, id) =>
      transact((db, { nowMs }) => toEndpointResource(db, getEndpoint(db, id), nowMs)),
  }),
  updateEndpoint: op({
    summary: 'Change an endpoint',
    idOf: 'endpoint',
    input: endpointChange,
    example: { enabled: false },
    response: show.endpoint,
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
