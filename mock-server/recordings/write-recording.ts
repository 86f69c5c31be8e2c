import { listDeliveries, listEvents } from '../control/lists.ts';
import type { RecordedSetup, RecordedStep, Recording } from '../control/recording.ts';
import { toEventResource, toIso, toSessionResource } from '../control/resources.ts';
import type { Db } from '../core/db.ts';
import type { Moment } from '../core/moment.ts';
import type { AccountAtStart, RecordedStepRow, RecordingRow } from '../core/tables.ts';
import { collectResults, type RunOutcome } from './collect-results.ts';
import { createNames, type Names } from './names.ts';
import { forgetRecording, getRecording, listSteps } from './note-step.ts';
import { createReceivers, type Receivers } from './receivers.ts';

/** Ends the current recording. Returns null if it has too many operations to be saved. */
export function endRecording(db: Db, { nowMs }: Moment): Recording | null {
  const recording = getRecording(db);
  const rows = listSteps(db);
  forgetRecording(db);
  if (recording.isFull) return null;
  const names = createNames();
  const receivers = createReceivers();
  const setup = toSetup(recording, rows, names);
  const steps = toSteps(rows, names, recording.startedAtMs);
  const naming = { nameOf: names.of, addressOf: receivers.addressOf };
  const created = rows.flatMap((row) => row.created.filter(({ kind }) => kind === 'session'));
  const outcome = readOutcome(
    db,
    created.map(({ id }) => id),
  );
  const lastMs = steps.at(-1)?.atMs ?? 0;
  return {
    format: 'ofage-recording',
    version: 1,
    name: recording.name,
    startedAt: toIso(recording.startedAtMs),
    durationMs: Math.max(nowMs - recording.startedAtMs, lastMs),
    setup: hideAddresses(setup, receivers),
    steps: hideAddresses(steps, receivers),
    ...collectResults(outcome, naming, recording.startedAtMs),
  };
}

/**
 * Returns the operations that recreate the state at the start of the recording, as far as the steps need
 * it.
 */
function toSetup(
  { accounts, faults }: RecordingRow,
  rows: readonly RecordedStepRow[],
  names: Names,
): RecordedSetup[] {
  const text = JSON.stringify(rows);
  const isNeeded = (account: AccountAtStart): boolean =>
    idsOf(account).some((id) => text.includes(JSON.stringify(id)));
  const needed = accounts.filter(isNeeded);
  const setup = needed.flatMap((account, index) => toAccountSetup(account, index === 0, names));
  const met = faults.filter(
    ({ settings: { tenantId } }) => tenantId === null || names.of(tenantId) !== undefined,
  );
  return [
    ...setup,
    ...met.map(({ id, settings }) => ({
      operation: 'addFault',
      args: [names.replaceIn(settings)],
      creates: [names.add({ kind: 'fault', id })],
    })),
  ];
}

function idsOf({ id, pairs, endpoints }: AccountAtStart): string[] {
  const keys = pairs.flatMap((pair) => pair.keys);
  return [id, ...[...pairs, ...keys, ...endpoints].map((part) => part.id)];
}

/** @param isFirst True if the account corresponds to the one that every new service has. */
function toAccountSetup(account: AccountAtStart, isFirst: boolean, names: Names): RecordedSetup[] {
  const { settings, pairs, endpoints, legacyWebhook, nextOutcomes } = account;
  const name = names.add({ kind: 'account', id: account.id });
  const setup: RecordedSetup[] = isFirst
    ? [{ operation: 'updateTenant', args: [name, settings] }]
    : [{ operation: 'createTenant', args: [settings], creates: [name] }];
  for (const [index, { id, keys }] of pairs.entries()) {
    const creates = [
      names.add({ kind: 'pair', id }),
      ...keys.map((key) => names.add({ kind: 'key', id: key.id })),
    ];
    if (!isFirst || index > 0) setup.push({ operation: 'createKeyPair', args: [name], creates });
  }
  for (const { id, settings, isWorking } of endpoints) {
    const args = [name, names.replaceIn(settings)];
    const creates = [names.add({ kind: 'endpoint', id })];
    setup.push({ operation: 'createEndpoint', args, creates });
    if (isWorking) setup.push({ operation: 'testEndpoint', args: creates, answer: ACCEPTED });
  }
  if (legacyWebhook) setup.push({ operation: 'putLegacyWebhook', args: [name, legacyWebhook] });
  if (nextOutcomes.length > 0)
    setup.push({ operation: 'queueNextOutcomes', args: [name, nextOutcomes] });
  // A new key is active, so the statuses are set afterwards.
  const keys = pairs.flatMap((pair) => pair.keys).filter(({ status }) => status !== 'active');
  for (const { id, status } of keys)
    setup.push({ operation: 'setKeyStatus', args: [names.of(id), status] });
  return setup;
}

const ACCEPTED = { status: 200, error: null };

/**
 * Converts the rows to steps. Steps about sessions that existed before the start are left out, because a
 * replay does not have these sessions.
 */
function toSteps(rows: readonly RecordedStepRow[], names: Names, startMs: number): RecordedStep[] {
  let latestMs = 0;
  return rows.flatMap((row) => {
    const { sessionId, created, operation, args, by, device, body, status, answer } = row;
    if (sessionId !== null && names.of(sessionId) === undefined) return [];
    // Time goes backwards if the computer's clock is set back. A step must not be earlier than the one
    // before it, so it gets the same time.
    latestMs = Math.max(latestMs, row.atMs - startMs);
    const creates = created.map((one) => names.add(one));
    return {
      atMs: latestMs,
      operation,
      ...(args && { args: names.replaceIn(args) as unknown[] }),
      ...(by !== undefined && { by: names.of(by) ?? by }),
      ...(device && { device }),
      ...(body !== undefined && { body: names.replaceIn(body) }),
      ...(status !== undefined && { status }),
      ...(answer && { answer }),
      ...(creates.length > 0 && { creates }),
    };
  });
}

/**
 * Reads the results of the sessions. Sessions that are no longer stored are left out, with their events.
 */
function readOutcome(db: Db, ids: readonly string[]): RunOutcome {
  const all = { limit: Number.MAX_SAFE_INTEGER };
  const wanted = new Set(ids);
  return {
    sessions: ids.flatMap((id) => {
      const session = db.get('sessions', id);
      return session ? [toSessionResource(session)] : [];
    }),
    events: listEvents(db, all)
      .filter(({ sessionId }) => wanted.has(sessionId))
      .map((event) => toEventResource(db, event)),
    deliveries: ids.flatMap((sessionId) => listDeliveries(db, { ...all, sessionId })),
  };
}

function hideAddresses<T>(value: T, receivers: Receivers): T {
  // The cast is safe, because only strings are replaced, and only with strings.
  return receivers.replaceIn(value) as T;
}
