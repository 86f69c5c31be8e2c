import type { Db } from '../core/db.ts';
import type { Moment } from '../core/moment.ts';
import type { Created, RecordedCall } from '../core/tables.ts';
import { findRecording, noteStep } from '../recordings/note-step.ts';
import { RECORDED_METHODS } from '../recordings/operation-names.ts';
import type { Context } from './context.ts';
import type { RoutedOperation } from './table.ts';

export interface OperationCall {
  readonly operation: RoutedOperation;
  readonly ids: readonly string[];
  readonly input: unknown;
}

/**
 * Runs an operation and adds it to the current recording. The step is written in the first transaction that
 * changes something, so that the steps of a recording have the order of their effects.
 */
export async function runRecorded(
  context: Context,
  call: OperationCall,
  run: (context: Context) => unknown,
): Promise<unknown> {
  if (!RECORDED.has(call.operation.name)) return run(context);
  let isNoted = false;
  const note = (db: Db, moment: Moment, response: unknown): void => {
    isNoted = true;
    if (findRecording(db)) noteStep(db, toStep(db, call, response), moment);
  };
  const response = await run({
    ...context,
    transact: (work) =>
      context.transact((db, moment) => {
        const before = db.written;
        const result = work(db, moment);
        // By convention, the transaction that changes something returns the operation's response.
        if (!isNoted && db.written > before) note(db, moment, result);
        return result;
      }),
  });
  // Adds the step of an operation that wrote nothing in `transact`, such as a test event, which changes the
  // state in the tester's own transactions.
  if (!isNoted) await context.transact((db, moment) => note(db, moment, response));
  return response;
}

const RECORDED: ReadonlySet<string> = new Set(RECORDED_METHODS);

function toStep(db: Db, call: OperationCall, response: unknown): RecordedCall {
  const { operation, ids } = call;
  const { input: schema, uncheckedBody, route, creates } = operation;
  const input = Object(call.input) as Record<string, unknown>;
  const { tenantId, httpStatus, error } = Object(response) as Record<string, unknown>;
  // If the caller named no account, a triggered session belongs to the first one, which may be a different
  // one in a replay.
  const full = creates === 'session' ? { ...input, tenantId } : input;
  const last = route.field === undefined ? full : full[route.field];
  const about = operation.idOf === 'session' ? ids[0] : input['sessionId'];
  return {
    operation: operation.name,
    sessionId: typeof about === 'string' && db.get('sessions', about) ? about : null,
    created: toCreated(creates, Object(response)),
    args: schema || uncheckedBody ? [...ids, last] : ids,
    ...(httpStatus !== undefined && {
      answer: { status: httpStatus as number | null, error: error as string | null },
    }),
  };
}

/** The ids in the response of an operation that creates something. */
interface CreatedIds {
  readonly id: string;
  readonly pairId: string;
  readonly publishable: { readonly id: string };
  readonly secret: { readonly id: string };
}

function toCreated(creates: RoutedOperation['creates'], response: CreatedIds): Created[] {
  switch (creates) {
    case undefined:
      return [];
    case 'tenant':
      return [{ kind: 'account', id: response.id }];
    case 'keyPair':
      return [
        { kind: 'pair', id: response.pairId },
        { kind: 'key', id: response.publishable.id },
        { kind: 'key', id: response.secret.id },
      ];
    case 'session':
    case 'endpoint':
    case 'fault':
      return [{ kind: creates, id: response.id }];
  }
}
