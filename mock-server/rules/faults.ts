import type { FaultInput } from '../api/faults.ts';
import { recordChange } from '../store/changes.ts';
import { type Db, type Moment, newId } from '../store/db.ts';
import { ServiceError } from '../store/errors.ts';
import {
  type ApiFaultRow,
  type FaultRow,
  findFaultProblem,
  type WebhookFaultRow,
} from '../store/rows.ts';
import { getTenant } from './tenants.ts';

/** The default delay is longer than the timeouts of the SDK and of a webhook. */
const DEFAULT_DELAY_MS = 20_000;

/**
 * Injects a fault into the next calls of an operation, or into the next webhooks. Faults of the same
 * operation are used up in order.
 * @throws {ServiceError} invalid_body for a fault that the operation cannot have; not_found for an unknown
 *   account
 */
export function addFault(db: Db, input: FaultInput, { nowMs, random }: Moment): FaultRow {
  const added = db.put('faults', {
    ...parseKind(input),
    id: newId(db, 'faults', random),
    tenantId: input.tenantId == null ? null : getTenant(db, input.tenantId).id,
    remaining: input.count ?? 1,
    delayMs: input.delayMs ?? DEFAULT_DELAY_MS,
    createdAtMs: nowMs,
  });
  recordFault(db, 'fault.added', added);
  return added;
}

function recordFault(db: Db, kind: 'fault.added' | 'fault.removed', row: FaultRow): void {
  const { id, tenantId, operation, fault, remaining, delayMs } = row;
  recordChange(db, {
    kind,
    tenantId,
    subjectId: id,
    subject: fault,
    values: [
      { name: 'operation', after: operation },
      ...(fault === 'slow' ? [{ name: 'delayMs', after: delayMs }] : []),
    ],
    amount: remaining,
  });
}

type Kind = Pick<ApiFaultRow, 'operation' | 'fault'> | Pick<WebhookFaultRow, 'operation' | 'fault'>;

function parseKind({ operation, fault }: FaultInput): Kind {
  const problem = findFaultProblem({ operation, fault });
  if (problem !== null) throw new ServiceError('invalid_body', problem, [problem]);
  // The cast is safe, because the operation can have this fault.
  return { operation, fault } as Kind;
}

/** Uses up one call of the first matching fault. Returns null if no fault applies. */
export function takeApiFault(
  db: Db,
  operation: ApiFaultRow['operation'],
  tenantId: string,
): ApiFaultRow | null {
  return take(db, tenantId, (fault): fault is ApiFaultRow => fault.operation === operation);
}

/** Uses up one attempt of the first matching webhook fault. Returns null if no fault applies. */
export function takeWebhookFault(db: Db, tenantId: string): WebhookFaultRow | null {
  return take(db, tenantId, (fault) => fault.operation === 'webhook');
}

function take<Row extends FaultRow>(
  db: Db,
  tenantId: string,
  isMeant: (fault: FaultRow) => fault is Row,
): Row | null {
  if (db.count('faults') === 0) return null;
  for (const fault of db.all('faults')) {
    if (!isMeant(fault)) continue;
    if (fault.tenantId !== null && fault.tenantId !== tenantId) continue;
    if (fault.remaining <= 1) db.delete('faults', fault.id);
    else db.put('faults', { ...fault, remaining: fault.remaining - 1 });
    return fault;
  }
  return null;
}

export function deleteFault(db: Db, id: string): void {
  const fault = db.get('faults', id);
  if (!fault) throw new ServiceError('not_found', 'Fault not found');
  db.delete('faults', id);
  recordFault(db, 'fault.removed', fault);
}

export function clearFaults(db: Db): void {
  const ids = Array.from(db.all('faults'), ({ id }) => id);
  for (const id of ids) db.delete('faults', id);
  if (ids.length > 0) recordChange(db, { kind: 'fault.cleared', amount: ids.length });
}
