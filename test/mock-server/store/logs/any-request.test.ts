import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { createMockService, type MockService } from 'ofage/mock';
import { describe, expect, it } from 'vitest';
import type { Log } from '../../../../mock-server/store/log.ts';
import { openSqliteLog } from '../../../../mock-server/store/logs/sqlite.ts';
import { answered } from '../../../support/a-mock.ts';
import { ORIGIN } from '../../../support/a-mock.ts';
import { readDocument } from '../../service/described.ts';

/** An operation that has a body: its example, and the names of its properties. */
interface Operation {
  readonly method: string;
  readonly path: string;
  readonly example: Readonly<Record<string, unknown>>;
  readonly names: readonly string[];
}

const document = await readDocument();
const operations: readonly Operation[] = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).flatMap(([method, { requestBody }]) => {
    if (!requestBody || path === '/control/v1/snapshot') return [];
    const { schema, example = {} } = requestBody.content['application/json'];
    const { properties = {} } = schema as { properties?: object };
    return [{ method, path, example: { ...example }, names: Object.keys(properties) }];
  }),
);

/** JSON texts that parsers, databases or objects may treat in a special way. */
const oddValue = fc.oneof(
  fc.json(),
  fc.string({ unit: 'binary' }).map((text) => JSON.stringify(text)),
  // The nesting at which SQLite does not accept JSON, and the one at which recursive functions fail.
  fc
    .record({
      open: fc.constantFrom('[', '{"a":', '{"__proto__":'),
      levels: fc.constantFrom(1, 33, 1_000, 10_000),
    })
    .map(({ open, levels }) => {
      const close = open === '[' ? ']' : '}';
      return `${open.repeat(levels)}1${close.repeat(levels)}`;
    }),
  fc.constantFrom('1e400', '-0', '9007199254740993', '1e-400', '"\\u0000"', '"\\ud800"'),
  fc.constantFrom('{"__proto__":{"id":1}}', '{"constructor":{}}', '{"toJSON":1}', '{"length":1e9}'),
  fc.constant(JSON.stringify('ü'.repeat(20_000))),
);

/** A request: an operation, with an odd value in place of one property, or of the whole body. */
const request = fc.record({
  operation: fc.constantFrom(...operations),
  /** A number from which the property is chosen. */
  property: fc.nat(),
  value: oddValue,
  header: fc.string({ unit: 'grapheme-ascii', maxLength: 40 }),
  query: fc.string({ unit: 'grapheme', maxLength: 40 }),
});
type Request_ = typeof request extends fc.Arbitrary<infer R> ? R : never;

/** Loads the service's own snapshot with an odd value in one place. */
const edit = fc.record({
  /** Numbers from which the table, the row, the column, and so on are chosen. */
  place: fc.array(fc.nat({ max: 100 }), { minLength: 4, maxLength: 6 }),
  value: oddValue,
});
type Edit = typeof edit extends fc.Arbitrary<infer E> ? E : never;

const steps = fc.array(fc.oneof(request, edit), { maxLength: 20 });

/** Sends the requests, restarts the service, and expects the same state. */
async function expectReadable(
  open: () => Log | Promise<Log>,
  wanted: readonly (Request_ | Edit)[],
): Promise<void> {
  const errors: unknown[] = [];
  const start = async (): Promise<MockService> =>
    createMockService({
      log: await open(),
      sender: { send: async () => answered(204) },
      clock: { now: Date.UTC(2026, 0, 1), frozen: true },
      pollMs: 0,
      onError: (error) => errors.push(error),
    });
  const before = await start();
  for (const step of wanted) await ('operation' in step ? send(before, step) : load(before, step));
  const tables = await readTables(before);
  await before.close();
  const after = await start();
  expect(await readTables(after)).toEqual(tables);
  await after.close();
  expect(errors).toEqual([]);
}

/** Returns the tables as JSON, in which -0 is 0. Runs the jobs first that an edited snapshot made due. */
async function readTables(service: MockService): Promise<unknown> {
  await service.clock.advance(0);
  const { tables } = await service.control.snapshot();
  return JSON.parse(JSON.stringify(tables));
}

async function send(service: MockService, step: Request_): Promise<void> {
  const { operation, property, value, header, query } = step;
  const { method, path, example, names } = operation;
  const name = ['', 'unknown', ...names][property % (names.length + 2)] ?? '';
  const ids = await findIds(service);
  const body = name === '' ? '"odd"' : JSON.stringify({ ...example, [name]: 'odd' });
  const address = path.replace('{id}', idOf(path, ids)) + `?q=${encodeURIComponent(query)}`;
  const token = path.startsWith('/hosted/') ? ids.sessionToken : ids.secretKey;
  await ask(service, {
    method,
    path: address,
    token,
    header,
    body: body.replace('"odd"', () => value).replace('<sessionId>', ids.sessionId),
  });
}

async function load(service: MockService, { place, value }: Edit): Promise<void> {
  const snapshot = structuredClone(await service.control.snapshot());
  let at = snapshot.tables as Record<string, unknown>;
  for (const number of place) {
    const names = [...Object.keys(at), 'unknown'];
    const name = names[number % names.length] ?? '';
    const next = at[name];
    if (typeof next !== 'object' || next === null) {
      at[name] = 'odd value';
      break;
    }
    at = next as Record<string, unknown>;
  }
  const body = JSON.stringify(snapshot).replace('"odd value"', () => value);
  await ask(service, { method: 'put', path: '/control/v1/snapshot', body });
}

interface Ask {
  readonly method: string;
  readonly path: string;
  readonly body: string;
  readonly token?: string;
  readonly header?: string;
}

function ask(
  service: MockService,
  { method, path, body, token = '', header = '' }: Ask,
): Promise<Response> {
  return service.fetch(
    new Request(ORIGIN + path, {
      method: method.toUpperCase(),
      headers: [
        ['content-type', 'application/json'],
        // An edited snapshot may have a key that no header can have.
        ['authorization', `Bearer ${token.replaceAll(/[^\w-]/g, '')}`],
        ['x-odd', header],
        ['__proto__', header],
      ],
      body,
    }),
  );
}

interface Ids {
  readonly secretKey: string;
  readonly tenantId: string;
  readonly keyId: string;
  readonly endpointId: string;
  readonly sessionId: string;
  readonly sessionToken: string;
}

/** Returns ids that exist now. A step may have replaced the state. */
async function findIds(service: MockService): Promise<Ids> {
  const { control } = service;
  const { secretKey, tenantId } = await service.ready;
  const [pair] = await control.keyPairs(tenantId).catch(() => []);
  const [endpoint] = await control.endpoints(tenantId).catch(() => []);
  const created = await ask(service, {
    method: 'post',
    path: '/api/v1/sessions/create',
    token: secretKey,
    body: JSON.stringify({ returnUrl: 'http://localhost/' }),
  });
  // An earlier step may have paused the key, for example.
  const { sessionId = '', sessionToken = '' } = (await created.json().catch(() => ({}))) as {
    sessionId?: string;
    sessionToken?: string;
  };
  return {
    secretKey,
    tenantId,
    keyId: pair?.secret.id ?? '',
    endpointId: endpoint?.id ?? '',
    sessionId,
    sessionToken,
  };
}

function idOf(path: string, ids: Ids): string {
  if (path.includes('/keys/')) return ids.keyId;
  if (path.includes('/webhook-endpoints/')) return ids.endpointId;
  return path.includes('/sessions/') ? ids.sessionId : ids.tenantId;
}

describe('after any requests, the state can be read again', () => {
  it('from a SQLite file', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'ofage-any-'));
    let files = 0;
    await fc.assert(
      fc.asyncProperty(steps, async (wanted) => {
        const file = join(folder, `${(files += 1)}.db`);
        await expectReadable(() => openSqliteLog(file), wanted);
      }),
      { numRuns: 40 },
    );
    rmSync(folder, { recursive: true, force: true });
  });
});
