import { beforeEach, describe, expect, it } from 'vitest';
import { createEndpoint } from '../../../mock-server/rules/endpoints.ts';
import { type Caller, createKeyPair } from '../../../mock-server/rules/keys.ts';
import { createSession } from '../../../mock-server/rules/sessions.ts';
import { createTenant } from '../../../mock-server/rules/tenants.ts';
import { listDeliveries, listEvents } from '../../../mock-server/service/operations/deliveries.ts';
import { listSessions } from '../../../mock-server/service/operations/sessions.ts';
import type { ValueChecks } from '../../../mock-server/store/checks.ts';
import { COLUMNS } from '../../../mock-server/store/rows.ts';
import { Db } from '../../../mock-server/store/db.ts';
import { LOG_FORMAT } from '../../../mock-server/store/log.ts';
import { createSeededRandom } from '../../../mock-server/store/random.ts';
import { countRowVisits } from './row-visits.ts';

const SESSIONS = 500;
const LIMIT = 10;
const moment = { nowMs: Date.UTC(2026, 0, 1), random: createSeededRandom(1) };

let db: Db;
/** `quiet` is the account of the oldest sessions, and `busy` the account of all later ones. */
let quiet: Caller;
let busy: Caller;
let endpointId: string;
let middleId: string;
beforeEach(() => {
  db = new Db();
  [quiet, busy] = [anAccount(), anAccount()];
  const events = ['session.started'] as const;
  const url = 'https://shop.example/hook';
  for (const { tenant } of [quiet, busy])
    ({ id: endpointId } = createEndpoint(
      db,
      tenant.id,
      { url, events, pairId: null, enabled: true },
      moment,
    ));
  create(quiet, LIMIT);
  create(busy, SESSIONS / 2);
  middleId = create(busy, 1);
  create(busy, SESSIONS / 2);
});

function anAccount(): Caller {
  const tenant = createTenant(db, {}, moment);
  return { tenant, key: createKeyPair(db, tenant.id, moment).secret };
}

function create(caller: Caller, count: number): string {
  let id = '';
  for (let n = 0; n < count; n += 1)
    ({ id } = createSession(db, caller, { returnUrl: 'http://localhost/' }, moment));
  return id;
}

describe(`a page of ${LIMIT} rows out of more than ${SESSIONS} is listed by reading at most ${LIMIT + 1} rows`, () => {
  // The row after the page is read as well, to find out whether there is a next page.
  const most = LIMIT + 1;

  it.each([
    ['the newest', () => ({})],
    ['before a session', () => ({ before: middleId })],
    ['of an account', () => ({ tenantId: busy.tenant.id })],
    ['of an account with only old sessions', () => ({ tenantId: quiet.tenant.id })],
    ['with the most common status', () => ({ status: 'pending' as const })],
  ])('sessions: %s', (_which, filter) => {
    const visits = countRowVisits(db);
    expect(listSessions(db, { limit: LIMIT, ...filter() })).toHaveLength(LIMIT);
    expect(visits()).toBeLessThanOrEqual(most);
  });

  it.each([
    ['the newest', () => ({})],
    ['of an account with only old sessions', () => ({ tenantId: quiet.tenant.id })],
  ])('events: %s', (_which, filter) => {
    const visits = countRowVisits(db);
    expect(listEvents(db, { limit: LIMIT, ...filter() })).toHaveLength(LIMIT);
    expect(visits()).toBeLessThanOrEqual(most);
  });

  it.each([
    ['the newest', () => ({})],
    ['of an endpoint', () => ({ endpointId })],
  ])('deliveries: %s', (_which, filter) => {
    const visits = countRowVisits(db);
    expect(listDeliveries(db, { limit: LIMIT, ...filter() })).toHaveLength(LIMIT);
    expect(visits()).toBeLessThanOrEqual(most);
  });
});

it('the rows of this format have not changed: a change raises LOG_FORMAT and gets a new file', async () => {
  const lines = Object.entries<ValueChecks>(COLUMNS).flatMap(([table, columns]) =>
    Object.entries(columns).map(([column, { name }]) => `${table}.${column}: ${name}`),
  );
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot(`rows-of-format-${LOG_FORMAT}.txt`);
});
