import type { Db } from '../store/db.ts';
import type { RequestRow } from '../store/tables.ts';

/** Maximum number of requests to keep, for the API and for the hosted page's API separately. */
export const MAX_REQUESTS = 500;

/** A request without its numbers in the state. */
export type KeptRequest = Omit<RequestRow, 'id' | 'no' | 'surfaceNo'>;

/** A request with its numbers within one batch, counted from 1. */
export interface NewRequest {
  readonly no: number;
  readonly surfaceNo: number;
  readonly request: KeptRequest;
}

/** The numbers of the newest request, overall and for each surface; 0 if there is none. */
type Newest = Record<'no' | RequestRow['surface'], number>;

/** Adds requests, and drops the oldest of each surface beyond {@link MAX_REQUESTS}. */
export function addRequests(db: Db, added: readonly NewRequest[]): void {
  const before = findNewest(db);
  for (const { no, surfaceNo, request } of added) {
    db.put('requests', {
      ...request,
      id: String(before.no + no),
      no: before.no + no,
      surfaceNo: before[request.surface] + surfaceNo,
    });
  }
  const newest = findNewest(db);
  const isTooOld = ({ surface, surfaceNo }: RequestRow): boolean =>
    surfaceNo <= newest[surface] - MAX_REQUESTS;
  for (const { id } of [...db.all('requests')].filter(isTooOld)) db.delete('requests', id);
}

/** Returns the number of API requests that are no longer kept. */
export function countForgottenRequests(db: Db): number {
  let kept = 0;
  for (const { surface } of db.all('requests')) if (surface === 'api') kept += 1;
  return findNewest(db).api - kept;
}

/** Reads every row, because a snapshot may have them in any order. */
function findNewest(db: Db): Newest {
  const newest: Newest = { no: 0, api: 0, hosted: 0 };
  for (const { no, surface, surfaceNo } of db.all('requests')) {
    if (no > newest.no) newest.no = no;
    if (surfaceNo > newest[surface]) newest[surface] = surfaceNo;
  }
  return newest;
}
