import * as v from 'valibot';
import {
  CHANGE_SUBJECTS,
  type ChangeControl,
  type ChangeFilter,
  type ChangeResource,
  subjectOf,
} from '../../api/changes.ts';
import { CHANGE_KINDS, type ChangeRow } from '../../store/change-kinds.ts';
import { listChanges } from '../../store/changes.ts';
import type { Db } from '../../store/db.ts';
import { toIso, toIsoOrNull } from '../../store/instant.ts';
import { choice, filterInteger, filterText, limit } from '../schemas/fields.ts';
import { count, instant, instantOrNull, text, textOrNull } from '../schemas/values.ts';
import { DEFAULT_LIMIT } from './lists.ts';
import { op, type OperationsOf } from './operation.ts';

const scalar = v.nullable(v.union([text, v.number(), v.boolean()]));

export const changeResource = v.strictObject({
  id: count,
  at: instant,
  realAt: instant,
  kind: v.picklist(CHANGE_KINDS),
  tenantId: textOrNull,
  subjectId: textOrNull,
  subject: textOrNull,
  values: v.array(
    v.strictObject({ name: text, before: v.exactOptional(scalar), after: v.exactOptional(scalar) }),
  ),
  amount: v.nullable(count),
  endedAt: instantOrNull,
  realEndedAt: instantOrNull,
});

export const changeOperations = {
  changes: op({
    summary: 'List changes of the clock, the settings and the state, newest first',
    input: v.object({
      tenantId: filterText('tenantId'),
      of: v.optional(choice('of', CHANGE_SUBJECTS)),
      before: filterInteger('before', 1, Number.MAX_SAFE_INTEGER),
      limit,
    }),
    response: v.array(changeResource),
    run: ({ transact }, filter) => transact((db) => selectChanges(db, filter)),
  }),
} satisfies OperationsOf<ChangeControl>;

function selectChanges(db: Db, filter: ChangeFilter): ChangeResource[] {
  const { tenantId, of, before = Infinity, limit = DEFAULT_LIMIT } = filter;
  return listChanges(db)
    .toReversed()
    .filter(
      (change) =>
        change.no < before &&
        (of === undefined || subjectOf(change.kind) === of) &&
        (tenantId === undefined || change.tenantId === null || change.tenantId === tenantId),
    )
    .slice(0, limit)
    .map(toChangeResource);
}

export function toChangeResource(row: ChangeRow): ChangeResource {
  const { id: _id, no, atMs, realAtMs, endedAtMs, realEndedAtMs, ...rest } = row;
  return {
    id: no,
    at: toIso(atMs),
    realAt: toIso(realAtMs),
    ...rest,
    endedAt: toIsoOrNull(endedAtMs),
    realEndedAt: toIsoOrNull(realEndedAtMs),
  };
}
