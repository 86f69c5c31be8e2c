import * as fc from 'fast-check';
import TinyQueue from 'tinyqueue';
import { describe, expect, it, vi } from 'vitest';
import { createJobQueue } from '../../../mock-server/store/jobs.ts';
import { createQueue } from '../../../mock-server/store/queues.ts';
import type { JobRow } from '../../../mock-server/store/rows.ts';

interface Row {
  readonly id: string;
  readonly line: string | null;
  readonly order: number;
}

const aQueue = () => createQueue<Row>({ key: ({ line }) => line, order: ({ order }) => order });

describe('createQueue()', () => {
  it('always has the first row and the members that a full sort would give (property)', () => {
    const change = fc.record({
      id: fc.constantFrom('a', 'b', 'c', 'd', 'e'),
      line: fc.constantFrom('x', 'y', null),
      order: fc.nat({ max: 5 }),
      isGone: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(change, { maxLength: 300 }), (changes) => {
        const queue = aQueue();
        const rows = new Map<string, Row & { place: number }>();
        for (const [now, { id, line, order, isGone }] of changes.entries()) {
          const before = rows.get(id);
          const after = isGone ? null : { id, line, order };
          const place = before?.place ?? now;
          queue.change(before, after, place);
          if (after) rows.set(id, { ...after, place });
          else rows.delete(id);
          for (const name of ['x', 'y']) {
            const line = [...rows.values()]
              .filter((row) => row.line === name)
              .sort((a, b) => a.order - b.order || a.place - b.place);
            expect(queue.first(name)).toBe(line[0]?.id);
            expect(queue.size(name)).toBe(line.length);
            expect([...queue.ids(name)].sort()).toEqual(line.map(({ id }) => id).sort());
          }
        }
      }),
    );
  });

  it('keeps few outdated entries of a row that changes often', () => {
    const queue = aQueue();
    let row: Row = { id: 'a', line: 'x', order: 0 };
    queue.change(undefined, row, 1);
    // Without another row, the group would end and begin anew with each change.
    queue.change(undefined, { id: 'b', line: 'x', order: 20_000 }, 2);
    for (let order = 1; order < 10_000; order += 1) {
      const next = { ...row, order };
      queue.change(row, next, 1);
      row = next;
    }
    // Outdated entries are dropped during these changes, so that few are left for the next reader.
    const pop = vi.spyOn(TinyQueue.prototype, 'pop');
    expect(queue.first('x')).toBe('a');
    expect(pop.mock.calls.length).toBeLessThan(100);
    pop.mockRestore();
  });
});

const job = (id: string, dueMs: number, rank?: number): JobRow => ({
  id,
  kind: 'note',
  dueMs,
  ref: id,
  ...(rank !== undefined && { rank }),
});

describe('createJobQueue()', () => {
  it('add() returns true if the new job is due before all others', () => {
    const queue = createJobQueue();
    expect(queue.add(job('b', 2))).toBe(true);
    expect(queue.add(job('a', 2))).toBe(false);
    expect(queue.add(job('later', 3))).toBe(false);
    expect(queue.add(job('sooner', 1))).toBe(true);
    for (let n = 0; n < 4; n += 1) queue.shift();
    expect(queue.add(job('again', 2))).toBe(true);
  });

  it('always has the first job of a full sort at its head, in any sequence of additions and removals (property)', () => {
    const step = fc.oneof(
      fc.record({
        id: fc.integer({ min: 0, max: 99 }).map(String),
        dueMs: fc.nat({ max: 5 }),
        rank: fc.option(fc.nat({ max: 2 }), { nil: undefined }),
      }),
      fc.constant('shift' as const),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
        const queue = createJobQueue();
        let model: JobRow[] = [];
        for (const one of steps) {
          if (one === 'shift') {
            queue.shift();
            model = model.slice(1);
          } else {
            const added = job(one.id, one.dueMs, one.rank);
            queue.add(added);
            model = [...model, added].sort(
              (a, b) =>
                a.dueMs - b.dueMs || (a.rank ?? 99) - (b.rank ?? 99) || compareText(a.id, b.id),
            );
          }
          expect(queue.first()).toEqual(model[0]);
        }
      }),
    );
  });
});

function compareText(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
