import { createServiceClock, type ClockOperations, type ServiceClock } from '../control/clock.ts';
import type { Control } from '../control/control.ts';
import { splitArguments } from '../control/route.ts';
import { parseInput } from '../input/parse-input.ts';
import type { Context } from './context.ts';
import { runRecorded } from './record-operation.ts';
import { CLOCK_OPERATIONS, CONTROL_OPERATIONS, type RoutedOperation } from './table.ts';

/** Runs one operation of the control surface, for callers in process and over HTTP alike. */
export type RunOperation = (
  operation: RoutedOperation,
  ids: readonly string[],
  input: unknown,
) => Promise<unknown>;

/** @returns A function that checks an operation's input, runs and records it, and rejects with the refusal. */
export function createRunOperation(context: Context): RunOperation {
  return async (operation, ids, input) => {
    const { input: schema, uncheckedBody, run } = operation;
    const inputs = schema ? [parseInput(schema, input)] : uncheckedBody ? [input] : [];
    return runRecorded(context, { operation, ids, input }, (recorded) =>
      // Each row's own types say that these are its arguments.
      run(recorded, ...([...ids, ...inputs] as never[])),
    );
  };
}

/** The control surface as an object, each method an operation. */
export function createControl(run: RunOperation): Control {
  return toMethods(CONTROL_OPERATIONS, run) as unknown as Control;
}

/** The clock as an object. */
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
