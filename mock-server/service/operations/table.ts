import { type ClockOperations, createServiceClock, type ServiceClock } from '../../api/clock.ts';
import {
  CLOCK_ROUTES,
  type Control,
  CONTROL_ROUTES,
  type Route,
  splitArguments,
} from '../../api/control.ts';
import { parseInput } from '../schemas/parse-input.ts';
import { accountOperations } from './accounts.ts';
import { changeOperations } from './changes.ts';
import { clockOperations } from './clock.ts';
import { deliveryOperations } from './deliveries.ts';
import { doctorOperations } from './doctor.ts';
import { endpointOperations } from './endpoints.ts';
import { faultOperations } from './faults.ts';
import { keyOperations } from './keys.ts';
import type { Context, Operation, OperationsOf } from './operation.ts';
import { reportOperations } from './reports.ts';
import { requestOperations } from './requests.ts';
import { sessionOperations } from './sessions.ts';
import { stateOperations } from './state.ts';
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
  ...deliveryOperations,
  ...faultOperations,
  ...requestOperations,
  ...changeOperations,
  ...reportOperations,
  ...doctorOperations,
} satisfies OperationsOf<Control>);

/** Every operation of `service.clock`. */
export const CLOCK_OPERATIONS = withRoutes(
  CLOCK_ROUTES,
  clockOperations satisfies OperationsOf<ClockOperations>,
  'clock.',
);

/** All operations. The HTTP routes and the OpenAPI document are created from this list. */
export const ROUTED_OPERATIONS: readonly RoutedOperation[] = [
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

/** Runs one operation of the control API, for calls in the same process and over HTTP. */
export type RunOperation = (
  operation: RoutedOperation,
  ids: readonly string[],
  input: unknown,
) => Promise<unknown>;

/**
 * Creates the function that checks an operation's input and runs the operation. The function rejects if the
 * input is invalid or the operation is refused.
 */
export function createRunOperation(context: Context): RunOperation {
  return async (operation, ids, input) => {
    const { input: schema, uncheckedBody, run } = operation;
    const inputs: unknown[] = [...ids];
    if (schema) inputs.push(parseInput(schema, input));
    else if (uncheckedBody) inputs.push(input);
    // The cast is safe, because the type of each operation ties these arguments to it.
    return run(context, ...(inputs as never[]));
  };
}

/** Creates the control API as an object with one method per operation. */
export function createControl(run: RunOperation): Control {
  return toMethods(CONTROL_OPERATIONS, run) as unknown as Control;
}

/** Creates the clock as an object with a method for each operation, and `now()`. */
export function createClock(run: RunOperation): ServiceClock {
  return createServiceClock(toMethods(CLOCK_OPERATIONS, run) as unknown as ClockOperations);
}

function toMethods(
  operations: Readonly<Record<string, RoutedOperation>>,
  run: RunOperation,
): Record<string, (...args: unknown[]) => Promise<unknown>> {
  return Object.fromEntries(
    Object.entries(operations).map(([name, operation]) => [
      name,
      (...args: unknown[]) => {
        const { ids, input = {} } = splitArguments(operation.route, args);
        return run(operation, ids, input);
      },
    ]),
  );
}
