import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Db, type Walk } from '../../../mock-server/store/db.ts';
import type { DeliveryRow, KeyRow } from '../../../mock-server/store/rows.ts';

const key = (id: string, over: Partial<KeyRow> = {}): KeyRow => ({
  id,
  tenantId: 'tenant-1',
  pairId: 'pair-1',
  kind: 'secret',
  value: `sk_${id}`,
  status: 'active',
  createdAtMs: 0,
  ...over,
});

const aDelivery = (id: string): DeliveryRow => ({
  id,
  eventId: 'event-1',
  tenantId: 'tenant-1',
  endpointId: 'endpoint-1',
  lane: 'lane',
  url: 'https://shop.example/',
  policy: 'durable',
  status: 'pending',
  attempts: 0,
  baseAttempts: 0,
  nextAtMs: 0,
  deadlineAtMs: 1,
  leaseUntilMs: null,
  leaseToken: null,
  createdAtMs: 0,
  deliveredAtMs: null,
  undeliveredAtMs: null,
  reason: null,
  redeliveryNo: 0,
});

describe('Db', () => {
  it('iterates backwards from the newest row, or from the one before a given row', () => {
    const db = new Db();
    for (const id of ['c', 'a', 'b']) db.put('keys', key(id));
    db.put('keys', key('d', { tenantId: 'tenant-2' }));
    const walk = (of?: Walk<'keys'>): string[] | null => {
      const rows = db.newest('keys', of);
      return rows && Array.from(rows, ({ id }) => id);
    };
    const match = { column: 'tenantId', value: 'tenant-1' } as const;
    expect(walk()).toEqual(['d', 'b', 'a', 'c']);
    expect(walk({ match })).toEqual(['b', 'a', 'c']);
    expect(walk({ before: 'a' })).toEqual(['c']);
    expect(walk({ match, before: 'b' })).toEqual(['a', 'c']);
    expect(walk({ match: { column: 'tenantId', value: 'nobody' } })).toEqual([]);
    expect(walk({ before: 'nobody' })).toBeNull();
    expect(walk({ match, before: 'd' })).toBeNull();
    // After an unknown row, all are new to the reader.
    expect([...db.all('keys', 'nobody')]).toHaveLength(4);
  });

  it('handles ids that are names of Object.prototype properties', () => {
    const db = new Db();
    for (const id of ['__proto__', 'constructor', 'toString'])
      db.put('settings', { id, value: id });
    expect(db.get('settings', '__proto__')).toEqual({ id: '__proto__', value: '__proto__' });
    expect(db.get('settings', 'hasOwnProperty')).toBeUndefined();
  });

  it('lists each changed row of a transaction once, with its last value', () => {
    const db = new Db();
    db.put('settings', { id: 'kept', value: '1' });
    const recorded = db.begin();
    db.put('settings', { id: 'twice', value: '1' });
    db.put('settings', { id: 'twice', value: '2' });
    db.put('settings', { id: 'gone', value: '1' });
    db.delete('settings', 'gone');
    db.delete('settings', 'kept');
    db.delete('settings', 'never there');
    expect(recorded.changes()).toEqual([
      ['settings', 'twice', { id: 'twice', value: '2' }],
      ['settings', 'gone', null],
      ['settings', 'kept', null],
    ]);
  });

  it('restores the order of rows whose deletion is undone', () => {
    const db = new Db();
    for (const id of ['a', 'b', 'c']) db.put('keys', key(id));
    for (const id of ['a', 'b', 'c']) db.put('deliveries', aDelivery(id));
    const orders = (): string[][] =>
      [
        db.all('keys'),
        db.newest('keys') ?? [],
        db.find('keys', 'tenantId', 'tenant-1'),
        db.all('deliveries'),
        [db.first('untried', 'lane')!],
      ].map((rows) => Array.from<{ id: string }, string>(rows, ({ id }) => id));
    const before = orders();

    const recorded = db.begin();
    db.delete('keys', 'a');
    db.put('keys', key('b', { tenantId: 'tenant-2' }));
    db.put('keys', key('a'));
    db.delete('deliveries', 'a');
    expect(orders()).not.toEqual(before);
    recorded.rollback();
    expect(orders()).toEqual(before);

    db.begin();
    const failing = (): void => {
      db.delete('keys', 'b');
      db.delete('deliveries', 'a');
      throw new Error('No');
    };
    expect(() => db.runPart(failing)).toThrow('No');
    expect(orders()).toEqual(before);
  });
});

describe('Db matches a plain Map (model-based)', () => {
  const few = (prefix: string) => fc.integer({ min: 0, max: 3 }).map((n) => `${prefix}${n}`);
  const row = fc
    .record({ id: few('k'), tenantId: few('t'), pairId: few('p'), value: few('v') })
    .map(({ id, ...over }) => key(id, over));
  const write = fc.oneof(
    fc.record({ does: fc.constant('put' as const), row }),
    fc.record({ does: fc.constant('delete' as const), id: few('k') }),
  );
  type Write = typeof write extends fc.Arbitrary<infer W> ? W : never;
  const writes = fc.array(write, { maxLength: 6 });
  const step = fc.oneof(
    fc.record({ does: fc.constantFrom('commit', 'roll back', 'apply'), writes }),
    fc.record({ does: fc.constant('attempt'), writes, inner: writes, more: writes }),
    fc.record({ does: fc.constant('clear'), writes: fc.constant([] as Write[]) }),
  );

  it('after any sequence of transactions', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
        const replica = new Map<string, KeyRow>();
        const db = new Db(([table, id, changed]) => {
          if (table !== 'keys') return;
          if (changed) replica.set(id, changed as KeyRow);
          else replica.delete(id);
        });
        let model = new Map<string, KeyRow>();
        for (const one of steps) model = take(db, model, one);
        expect(replica).toEqual(model);
        expectSameRows(db, model);
        const copy = new Db();
        copy.apply(db.dump());
        expectSameRows(copy, model);
      }),
      { numRuns: 500 },
    );
  });

  type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

  function take(db: Db, model: Map<string, KeyRow>, one: Step): Map<string, KeyRow> {
    if (one.does === 'clear') {
      db.clear();
      return new Map();
    }
    const after = applied(model, one.writes);
    if (one.does === 'apply') {
      db.apply(
        one.writes.map((w) =>
          w.does === 'put' ? ['keys', w.row.id, w.row] : ['keys', w.id, null],
        ),
      );
      return after;
    }
    const recorded = db.begin();
    perform(db, one.writes);
    if (one.does === 'roll back') {
      recorded.rollback();
      return model;
    }
    if (!('inner' in one)) {
      // Applying the committed changes to a copy of the state before must produce the same state.
      const copy = new Db();
      for (const row of model.values()) copy.put('keys', row);
      copy.apply(recorded.changes());
      expectSameRows(copy, after);
      return after;
    }
    const stop = new Error('Stop');
    expect(() =>
      db.runPart(() => {
        perform(db, one.inner);
        throw stop;
      }),
    ).toThrow(stop);
    perform(db, one.more);
    return applied(after, one.more);
  }

  function perform(db: Db, list: readonly Write[]): void {
    for (const w of list) {
      if (w.does === 'put') db.put('keys', w.row);
      else db.delete('keys', w.id);
    }
  }

  function applied(model: Map<string, KeyRow>, list: readonly Write[]): Map<string, KeyRow> {
    const copy = new Map(model);
    for (const w of list) {
      if (w.does === 'put') copy.set(w.row.id, w.row);
      else copy.delete(w.id);
    }
    return copy;
  }

  /** Checks the rows, the indexes, and the order of both. */
  function expectSameRows(db: Db, model: Map<string, KeyRow>): void {
    const rows = [...model.values()];
    expect(db.count('keys')).toBe(model.size);
    expect([...db.all('keys')]).toEqual(rows);
    expect([...(db.newest('keys') ?? [])]).toEqual(rows.toReversed());
    for (const [place, { id }] of rows.entries()) {
      expect([...db.all('keys', id)]).toEqual(rows.slice(place + 1));
      expect([...db.newest('keys', { before: id })!]).toEqual(rows.slice(0, place).toReversed());
    }
    for (const column of ['tenantId', 'pairId', 'value'] as const) {
      for (const n of [0, 1, 2, 3, 4]) {
        const value = column[0] + `${n}`;
        const found = rows.filter((r) => r[column] === value);
        expect(db.find('keys', column, value)).toEqual(found);
        const back = db.newest('keys', { match: { column, value } }) ?? [];
        expect([...back]).toEqual(found.toReversed());
      }
    }
  }
});
