import type * as v from 'valibot';
import { CONTROL_PATH, STREAM_PATH } from '../../../api/route.ts';
import { OPERATIONS, type RoutedOperation } from '../../operations/table.ts';
import { list, page } from '../../operations/schemas/control.ts';
import { toWireInput } from '../pages.ts';
import type { DescribedOperation, Method } from './operation.ts';

/** The operations of the control API, as the document describes them. */
export const controlOperations: readonly DescribedOperation[] = [
  ...OPERATIONS.map(toOperation),
  {
    method: 'get',
    path: CONTROL_PATH + STREAM_PATH,
    summary: 'Stream changes as server-sent events',
    security: 'loopback',
    success: 200,
    response: 'text/event-stream',
    refusals: [],
  },
];

function toOperation(operation: RoutedOperation): DescribedOperation {
  const {
    route,
    summary,
    idOf,
    uncheckedBody,
    bodyRules,
    example,
    response,
    refusals = [],
  } = operation;
  const input = toWireInput(operation);
  return {
    method: route.method.toLowerCase() as Method,
    path: CONTROL_PATH + route.path,
    summary,
    security: 'loopback',
    ...(idOf && { idOf }),
    ...(input && (route.method === 'GET' ? { query: input } : { body: input })),
    ...(uncheckedBody && { body: uncheckedBody }),
    ...(bodyRules && { bodyRules }),
    ...(example && { example }),
    success: operation.status ?? (response === null ? 204 : 200),
    response: response && toAnswer(response, route.items),
    refusals: [...(idOf ? [404] : []), ...refusals],
  };
}

function toAnswer(
  response: v.GenericSchema,
  items: RoutedOperation['route']['items'],
): v.GenericSchema {
  if (items === undefined) return response;
  return items === 'page' ? page(response) : list(response);
}
