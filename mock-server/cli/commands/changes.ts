import { CHANGE_SUBJECTS, type ChangeResource, describeChange } from '../../api/changes.ts';
import { ANY_TENANT, findTenantId } from '../accounts.ts';
import { choiceOf, type Command, requireArguments, textOf } from '../command.ts';
import { LIMIT, limitOf, listNewest } from '../paging.ts';
import type { Column } from '../printer.ts';
import { LABELS } from '../../words/states.ts';
import { formatTimeInUtc } from '../../words/times.ts';
import { toDuration } from '../times.ts';

export const changes: Command = {
  name: 'changes',
  takes: '',
  summary: 'list changes of the clock, settings and state, newest first',
  action: 'list changes',
  details: `Lists what was done: moves of the clock, changes of endpoints, keys and settings, queued
outcomes, injected faults, loaded snapshots and the last reset.`,
  options: {
    of: { type: 'string', value: 'PART', text: CHANGE_SUBJECTS.join(', ') },
    tenant: ANY_TENANT,
    limit: LIMIT,
  },
  read(words, values) {
    requireArguments('changes', [], words);
    const of = choiceOf(values, 'of', CHANGE_SUBJECTS);
    const limit = limitOf(values);
    return async (mock, print) => {
      const tenantId = await findTenantId(mock, textOf(values, 'tenant'));
      const found = await listNewest({
        list: mock.pages.changes,
        filter: { of, tenantId },
        limit,
        order: 'newest first',
      });
      print.list(found, COLUMNS, 'No changes');
    };
  },
};

const COLUMNS: readonly Column<ChangeResource>[] = [
  { title: `${LABELS.changed} (UTC)`, of: ({ at }) => formatTimeInUtc(at) },
  { title: 'CHANGE', of: (change) => describeChange(change, toDuration) },
];
