import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createAgenda } from '../../../mock-server/store/agenda.ts';
import type { JobRow } from '../../../mock-server/store/tables.ts';

const job = (id: string, dueMs: number, rank?: number): JobRow => ({
  id,
  kind: 'note',
  dueMs,
  ref: id,
  ...(rank !== undefined && { rank }),
});

describe('createAgenda()', () => {
  it('add() returns true if the new job is due before all others', () => {
    const agenda = createAgenda();
    expect(agenda.add(job('b', 2))).toBe(true);
    expect(agenda.add(job('a', 2))).toBe(false);
    expect(agenda.add(job('later', 3))).toBe(false);
    expect(agenda.add(job('sooner', 1))).toBe(true);
    for (let n = 0; n < 4; n += 1) agenda.shift();
    expect(agenda.add(job('again', 2))).toBe(true);
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
        const agenda = createAgenda();
        let model: JobRow[] = [];
        for (const one of steps) {
          if (one === 'shift') {
            agenda.shift();
            model = model.slice(1);
          } else {
            const added = job(one.id, one.dueMs, one.rank);
            agenda.add(added);
            model = [...model, added].sort(
              (a, b) =>
                a.dueMs - b.dueMs ||
                (a.rank ?? 99) - (b.rank ?? 99) ||
                (a.id < b.id ? -1 : a.id > b.id ? 1 : 0),
            );
          }
          expect(agenda.first()).toEqual(model[0]);
        }
      }),
    );
  });
});
