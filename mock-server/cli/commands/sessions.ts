import type { SessionResource } from '../../api/sessions.ts';
import { ANY_TENANT, findTenantId } from '../accounts.ts';
import { choiceOf, type Command, requireArguments, textOf } from '../command.ts';
import { LIMIT, limitOf, listNewest } from '../paging.ts';
import type { Column } from '../printer.ts';
import { LABELS, SESSION_STATUSES } from '../../words/states.ts';
import { formatTimeInUtc } from '../../words/times.ts';

export const sessions: Command = {
  name: 'sessions',
  takes: '',
  summary: 'list sessions, newest first',
  action: 'list sessions',
  options: {
    status: { type: 'string', value: 'STATUS', text: `${SESSION_STATUSES.join(', ')}` },
    user: { type: 'string', value: 'ID', text: 'only this externalUserId' },
    tenant: ANY_TENANT,
    limit: LIMIT,
  },
  read(words, values) {
    requireArguments('sessions', [], words);
    const filter = {
      status: choiceOf(values, 'status', SESSION_STATUSES),
      externalUserId: textOf(values, 'user'),
    };
    const limit = limitOf(values);
    return async (mock, print) => {
      const tenantId = await findTenantId(mock, textOf(values, 'tenant'));
      const found = await listNewest({
        list: mock.pages.sessions,
        filter: { ...filter, tenantId },
        limit,
        order: 'newest first',
      });
      print.list(found, COLUMNS, 'No sessions');
    };
  },
};

const COLUMNS: readonly Column<SessionResource>[] = [
  { title: 'SESSION', of: ({ id }) => id },
  { title: 'STATUS', of: ({ status }) => status },
  { title: 'REASON', of: ({ reason }) => reason },
  { title: 'USER', of: ({ externalUserId }) => externalUserId },
  { title: LABELS.mode, of: ({ verificationMode }) => verificationMode },
  { title: LABELS.challengeAge, of: ({ challengeAge }) => challengeAge },
  { title: `${LABELS.created} (UTC)`, of: ({ createdAt }) => formatTimeInUtc(createdAt) },
  { title: `${LABELS.validated} (UTC)`, of: ({ validatedAt }) => formatTimeInUtc(validatedAt) },
];
