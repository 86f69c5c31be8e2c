import type { Check, Section } from '../check.ts';
import type { World } from '../world.ts';

/** A check. Its group or a default supplies the fields that a row omits. */
export interface CheckRow extends Partial<
  Pick<Check, 'level' | 'kind' | 'needs' | 'section' | 'settings'>
> {
  readonly id: string;
  readonly sentence: string;
  readonly run: (world: World) => Promise<void>;
}

/** Creates the checks of a group. A row's needs are added to those of the group. */
export function defineChecks(
  group: { readonly section: Section; readonly prefix: string; readonly needs?: Check['needs'] },
  rows: readonly CheckRow[],
): Check[] {
  return rows.map((row) => ({
    section: group.section,
    level: 'must',
    kind: 'safe',
    ...row,
    id: `${group.prefix}.${row.id}`,
    needs: [...(group.needs ?? []), ...(row.needs ?? [])],
  }));
}
