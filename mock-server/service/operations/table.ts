import { clockRoutes, type ClockOperations } from '../../api/clock.ts';
import { CONTROL_ROUTES, type Control } from '../../api/control.ts';
import type { Route } from '../../api/route.ts';
import { accountOperations } from './accounts.ts';
import { clockOperations } from './clock.ts';
import { doctorOperations } from './doctor.ts';
import { endpointOperations } from './endpoints.ts';
import { keyOperations } from './keys.ts';
import type { Operation, OperationsOf } from './operation.ts';
import { sessionOperations } from './sessions.ts';
import { stateOperations } from './state.ts';
import { steeringOperations } from './steering.ts';
import { webhookOperations } from './webhooks.ts';

export interface RoutedOperation extends Operation {
  /** The method's name, such as `settle`, or with a prefix for the clock: `clock.advance`. */
  readonly name: string;
  readonly route: Route;
}

/** Every operation of `service.control`, by method name. */
export const CONTROL_OPERATIONS = withRoutes(CONTROL_ROUTES, {
  ...stateOperations,
  ...accountOperations,
  ...keyOperations,
  ...endpointOperations,
  ...webhookOperations,
  ...sessionOperations,
  ...steeringOperations,
  ...doctorOperations,
} satisfies OperationsOf<Control>);

/** Every operation of `service.clock`. */
export const CLOCK_OPERATIONS = withRoutes(
  clockRoutes,
  clockOperations satisfies OperationsOf<ClockOperations>,
  'clock.',
);

/** All operations. The HTTP routes and the OpenAPI document are created from this list. */
export const OPERATIONS: readonly RoutedOperation[] = [
  ...Object.values(CONTROL_OPERATIONS),
  ...Object.values(CLOCK_OPERATIONS),
];

function withRoutes<Name extends string>(
  routes: Readonly<Record<Name, Route>>,
  operations: Readonly<Record<Name, Operation>>,
  prefix = '',
): Readonly<Record<Name, RoutedOperation>> {
  const names = Object.keys(routes) as Name[];
  const joined = names.map((name) => [
    name,
    { ...operations[name], route: routes[name], name: prefix + name },
  ]);
  return Object.fromEntries(joined) as Record<Name, RoutedOperation>;
}
