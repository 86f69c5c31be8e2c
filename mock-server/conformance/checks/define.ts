import type { Check, Section } from '../check.ts';

/** A check. Its group or a default supplies the fields that a row omits. */
export interface CheckRow
  extends
    Pick<Check, 'id' | 'sentence' | 'run' | 'examples'>,
    Partial<Pick<Check, 'level' | 'kind' | 'needs' | 'section' | 'settings'>> {}

interface CheckGroup extends Partial<
  Pick<Check, 'level' | 'kind' | 'needs' | 'settings' | 'opensPages'>
> {
  readonly section: Section;
  /** The beginning of each id. @default none */
  readonly prefix?: string;
}

/** Creates the checks of a group. A row's needs are added to those of the group. */
export function defineChecks(
  { prefix, needs = [], ...group }: CheckGroup,
  rows: readonly CheckRow[],
): Check[] {
  return rows.map((row) => ({
    level: 'must',
    kind: 'safe',
    ...group,
    ...row,
    id: prefix === undefined ? row.id : `${prefix}.${row.id}`,
    needs: [...needs, ...(row.needs ?? [])],
  }));
}
