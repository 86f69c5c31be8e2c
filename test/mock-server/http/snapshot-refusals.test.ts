import { describe, expect, it } from 'vitest';
import { LAST_INSTANT_MS } from '../../../mock-server/store/clock.ts';
import { controlOperations as operations } from '../../../mock-server/service/http/openapi/control-operations.ts';
import { aMock } from '../../support/a-mock.ts';
import { LOG_FORMAT } from '../../../mock-server/store/log.ts';
import { aRun } from './a-run.ts';

/** Columns that are shown as dates. Each table has at least one row. */
const TOO_LATE = [
  ['tenants', 'createdAtMs'],
  ['keys', 'createdAtMs'],
  ['sessions', 'expiresAtMs'],
  ['sessions', 'settledAtMs'],
  ['endpoints', 'createdAtMs'],
  ['endpointHealth', 'lastSuccessAtMs'],
  ['endpointHealth', 'holdUntilMs'],
  ['events', 'createdAtMs'],
  ['deliveries', 'nextAtMs'],
  ['attempts', 'startedAtMs'],
  ['jobs', 'dueMs'],
  ['requests', 'atMs'],
  ['requests', 'realAtMs'],
  ['observations', 'atMs'],
] as const;

/** The table from which the id in a path comes. */
const TABLE_OF = {
  tenant: 'tenants',
  key: 'keys',
  session: 'sessions',
  endpoint: 'endpoints',
  fault: 'faults',
  legacy: 'tenants',
} as const;

describe('a snapshot', () => {
  const edit = (change: (snapshot: any) => unknown) => (snapshot: any) => {
    change(snapshot);
    return snapshot;
  };
  it.each<[string, (snapshot: any) => unknown, string]>([
    ['an array', () => [], 'it must be a JSON object whose format is "ofage-mock-snapshot"'],
    [
      'a different JSON file',
      () => ({ name: 'ofage' }),
      'it must be a JSON object whose format is "ofage-mock-snapshot"',
    ],
    [
      'a different version',
      edit((s) => (s.version = LOG_FORMAT + 1)),
      `its version is ${LOG_FORMAT + 1}, but this version of ofage reads only ${LOG_FORMAT}`,
    ],
    ['no time', edit((s) => delete s.takenAt), 'takenAt must be a valid ISO 8601 date string'],
    ['no clock state', edit((s) => delete s.frozen), 'frozen must be a boolean value'],
    ['no tables', edit((s) => delete s.tables), 'tables must be an object'],
    ['an unknown table', edit((s) => (s.tables.pets = [])), 'unknown table "pets"'],
    [
      'a table named like a property of Object.prototype',
      () =>
        JSON.parse(
          `{"format":"ofage-mock-snapshot","version":${LOG_FORMAT},"takenAt":"2026-01-01","frozen":true,"tables":{"__proto__":[]}}`,
        ),
      'unknown table "__proto__"',
    ],
    [
      'a table that is not an array',
      edit((s) => (s.tables.sessions = {})),
      'tables.sessions must be an array',
    ],
    [
      'a row that is not an object',
      edit((s) => s.tables.sessions.push(null)),
      'tables.sessions[2] must be an object',
    ],
    [
      'a row without an id',
      edit((s) => delete s.tables.keys[0].id),
      'tables.keys[0].id must be a string',
    ],
    [
      'a duplicate row',
      edit((s) => s.tables.keys.push(s.tables.keys[0])),
      /tables\.keys\[2\]\.id is not unique/ as never,
    ],
    [
      'a time as a string',
      edit((s) => (s.tables.sessions[0].expiresAtMs = 'soon')),
      'tables.sessions[0].expiresAtMs must be an integer',
    ],
    ...TOO_LATE.map(([table, column]): [string, (snapshot: any) => unknown, string] => [
      `${table}.${column} after the year 9999`,
      edit((s) => (s.tables[table][0][column] = LAST_INSTANT_MS + 1)),
      `tables.${table}[0].${column} must be an integer up to ${LAST_INSTANT_MS}`,
    ]),
    [
      'a time that is not a date',
      edit((s) => (s.tables.events[0].createdAtMs = 1e300)),
      `tables.events[0].createdAtMs must be an integer up to ${LAST_INSTANT_MS}`,
    ],
    [
      'a session whose account id is a number',
      edit((s) => (s.tables.sessions[1].tenantId = 7)),
      'tables.sessions[1].tenantId must be a string',
    ],
    [
      'an event whose session id is an object',
      edit((s) => (s.tables.events[0].sessionId = {})),
      'tables.events[0].sessionId must be a string',
    ],
    [
      'an endpoint whose URL is an array',
      edit((s) => (s.tables.endpoints[0].url = [])),
      'tables.endpoints[0].url must be a URL',
    ],
    [
      'an endpoint whose URL is relative',
      edit((s) => (s.tables.endpoints[0].url = '/hooks')),
      'tables.endpoints[0].url must be a URL',
    ],
    [
      'an endpoint without a health row',
      edit((s) => (s.tables.endpointHealth = [])),
      'has no row in tables.endpointHealth for its URL',
    ],
    [
      'an unknown event',
      edit((s) => (s.tables.endpoints[0].events = ['session.paused'])),
      'tables.endpoints[0].events must be an array of event kinds',
    ],
    [
      'a session in an unknown state',
      edit((s) => (s.tables.sessions[0].status = 'DONE')),
      'tables.sessions[0].status must be one of PENDING, VERIFIED, FAILED, CANCELLED, EXPIRED',
    ],
    [
      'an incomplete policy',
      edit((s) => delete s.tables.tenants[0].policy.challengeAge),
      'tables.tenants[0].policy must be an object with only verificationMode (one of L1, L2), challengeAge (a number), faceMatchEnabled (a boolean value)' as never,
    ],
    [
      'an unknown column',
      edit((s) => (s.tables.sessions[0].note = 'x')),
      'tables.sessions[0].note should not exist',
    ],
    [
      'an unknown property in a column',
      edit((s) => (s.tables.tenants[0].policy.note = 'x')),
      'tables.tenants[0].policy must be an object with only ',
    ],
    [
      'takenAt after the year 9999',
      edit((s) => (s.takenAt = '+010000-01-01T00:00:00.000Z')),
      'takenAt must not be later than the year 9999',
    ],
    [
      'a first account without keys',
      edit((s) => delete s.tables.keys),
      /its first account, "[-\w]+", has no key pair/ as never,
    ],
    [
      'a first account with half a key pair',
      edit((s) => s.tables.keys.pop()),
      /its first account, "[-\w]+", has no key pair/ as never,
    ],
    [
      'a first account whose two keys are not a pair',
      edit((s) => (s.tables.keys[0].pairId = 'another')),
      /its first account, "[-\w]+", has no key pair/ as never,
    ],
    ['no account', edit((s) => delete s.tables.tenants), 'it has no account'],
    [
      'no signing key',
      edit((s) => delete s.tables.settings),
      'the key that signs session tokens is missing',
    ],
    [
      'an empty signing key',
      edit((s) => (s.tables.settings[0].value = '')),
      'the key that signs session tokens is missing',
    ],
  ])('is rejected and changes nothing: %s', async (_name, spoil, reason) => {
    const my = await aMock({ endpoints: [{ url: 'https://shop.example/hooks' }] });
    await aRun(my);
    const before = await my.control.snapshot();
    const input = spoil(JSON.parse(JSON.stringify(before)));
    const { status, body } = await my.call('PUT', '/snapshot', input);
    expect(status).toBe(400);
    expect(body.message).toMatch(reason);
    expect(body.message).toMatch(/^Cannot load the snapshot: /);
    expect(await my.control.snapshot()).toEqual(before);
  });

  it('with an unexpected value in any column never leads to an internal error', async () => {
    const my = await aMock({ endpoints: [{ url: 'https://shop.example/hooks' }] });
    const { tenantId } = my;
    await aRun(my);
    await my.control.putLegacyWebhook(tenantId, { url: 'https://shop.example/legacy' });
    await my.control.addFault({ operation: 'webhook', fault: '500' });
    const snapshot = JSON.stringify(await my.control.snapshot());
    const { tables } = JSON.parse(snapshot);
    const paths = operations
      .filter(({ method, path }) => method === 'get' && !path.endsWith('/stream'))
      .map(({ path, idOf }) => path.replace('{id}', tables[TABLE_OF[idOf ?? 'tenant']][0].id))
      .map((path) => path.replace('/control/v1', ''));
    const broken: string[] = [];
    for (const [table, rows] of Object.entries<any>(tables)) {
      for (const column of Object.keys(rows[0]).filter((name) => name !== 'id')) {
        for (const value of [null, undefined, [], {}, [null], 'x', '', -1, 1e300, true]) {
          const spoiled = JSON.parse(snapshot);
          spoiled.tables[table][0][column] = value;
          const { status } = await my.call('PUT', '/snapshot', spoiled);
          const place = `${table}.${column} = ${JSON.stringify(value)}`;
          if (status >= 500) broken.push(place);
          if (status !== 204) continue;
          for (const path of paths) {
            if ((await my.call('GET', path)).status >= 500) broken.push(`${place}: ${path}`);
          }
        }
      }
    }
    expect(broken).toEqual([]);
  });
});
