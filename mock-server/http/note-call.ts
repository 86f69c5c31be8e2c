import type { Db } from '../core/db.ts';
import type { Moment } from '../core/moment.ts';
import { findRecording, noteStep } from '../recordings/note-step.ts';
import { toCallName, type ApiOperation } from './api-operation.ts';
import type { Attempt } from './attempt.ts';
import type { ReadBody } from './read-json.ts';
import { toRefusal } from './respond.ts';

/**
 * Adds a call to the API or to the hosted page's API to the recording in progress. Refused calls are
 * recorded as well, because they use up faults and count against limits.
 */
export function noteCall<Caller>(
  db: Db,
  operation: ApiOperation<Caller>,
  body: ReadBody,
  attempt: Attempt<Caller>,
  moment: Moment,
): void {
  const { known } = attempt;
  if (!known || !findRecording(db)) return;
  const json = readOrUndefined(body);
  const about = operation.access.sessionOf(known.caller, json);
  const createdId = 'done' in attempt && operation.creates ? attempt.done.session.id : null;
  noteStep(
    db,
    {
      operation: toCallName(operation),
      sessionId: about !== null && db.get('sessions', about) ? about : null,
      created: createdId === null ? [] : [{ kind: 'session', id: createdId }],
      ...known.recordedAs,
      // A body that is not JSON is not recorded, and neither is the status, because a replay without the
      // body may return a different one.
      ...(json !== undefined && { body: json, status: statusOf(operation, attempt, moment) }),
    },
    moment,
  );
}

function readOrUndefined(body: ReadBody): unknown {
  try {
    return body.json();
  } catch {
    return undefined;
  }
}

function statusOf<Caller>(
  { path, success }: ApiOperation<Caller>,
  attempt: Attempt<Caller>,
  { nowMs }: Moment,
): number {
  if ('done' in attempt || attempt.fault?.fault === 'malformed') return success;
  return toRefusal(attempt.error, path, nowMs).status;
}
