import type { Snapshot } from 'ofage-mock';
import { expect } from 'vitest';

/** Leaves out the last change, which must say that a snapshot was loaded. */
export function withoutLoad({ tables, ...snapshot }: Snapshot): Snapshot {
  const { changes = [], ...others } = tables;
  expect(changes.at(-1)).toMatchObject({ kind: 'state.loaded' });
  const earlier = changes.slice(0, -1);
  return { ...snapshot, tables: earlier.length === 0 ? others : { ...others, changes: earlier } };
}
