import { createServiceClock, type ClockOperations, type ServiceClock } from '../../api/clock.ts';
import type { Control } from '../../api/control.ts';
import { splitArguments } from '../../api/route.ts';
import { parseInput } from '../input/parse-input.ts';
import type { Context } from './context.ts';
import { CLOCK_OPERATIONS, CONTROL_OPERATIONS, type RoutedOperation } from './table.ts';

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
    const inputs = schema ? [parseInput(schema, input)] : uncheckedBody ? [input] : [];
    // The cast is safe, because the type of each operation ties these arguments to it.
    return run(context, ...([...ids, ...inputs] as never[]));
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
