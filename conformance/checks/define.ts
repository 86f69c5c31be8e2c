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

interface CheckGroup extends Partial<Pick<Check, 'needs' | 'opensPages'>> {
  readonly section: Section;
  /** The beginning of each id. */
  readonly prefix: string;
}

/** Creates the checks of a group. A row's needs are added to those of the group. */
export function defineChecks(
  { section, prefix, needs = [], opensPages = false }: CheckGroup,
  rows: readonly CheckRow[],
): Check[] {
  return rows.map((row) => ({
    section,
    opensPages,
    level: 'must',
    kind: 'safe',
    ...row,
    id: `${prefix}.${row.id}`,
    needs: [...needs, ...(row.needs ?? [])],
  }));
}
