import type { DeliveryResource } from '../../api/deliveries.ts';
import { ANY_TENANT, findTenantId } from '../accounts.ts';
import { type Command, requireArguments, textOf } from '../command.ts';
import { LIMIT, limitOf, listNewest } from '../paging.ts';
import type { Column } from '../printer.ts';
import { DELIVERY_WORDS, LABELS } from '../../words/states.ts';
import { formatTimeInUtc } from '../../words/times.ts';

export const deliveries: Command = {
  name: 'deliveries',
  takes: '',
  summary: 'list webhook deliveries and their results, oldest first',
  action: 'list deliveries',
  options: {
    session: { type: 'string', value: 'ID', text: 'only this session' },
    endpoint: { type: 'string', value: 'ID', text: 'only this endpoint' },
    tenant: ANY_TENANT,
    limit: LIMIT,
  },
  read(words, values) {
    requireArguments('deliveries', [], words);
    const filter = {
      sessionId: textOf(values, 'session'),
      endpointId: textOf(values, 'endpoint'),
    };
    const limit = limitOf(values);
    return async (mock, print) => {
      const tenantId = await findTenantId(mock, textOf(values, 'tenant'));
      const found = await listNewest({
        list: mock.pages.deliveries,
        filter: { ...filter, tenantId },
        limit,
        order: 'oldest first',
      });
      print.list(found, COLUMNS, 'No deliveries');
    };
  },
};

const COLUMNS: readonly Column<DeliveryResource>[] = [
  { title: `${LABELS.created} (UTC)`, of: ({ createdAt }) => formatTimeInUtc(createdAt) },
  { title: 'EVENT', of: ({ event }) => event },
  { title: 'SESSION', of: ({ sessionId }) => sessionId },
  { title: 'STATUS', of: ({ status }) => DELIVERY_WORDS[status] },
  { title: 'ATTEMPTS', of: ({ attempts }) => attempts.length },
  { title: 'LAST RESPONSE', of: toLastResponse },
  { title: 'URL', of: ({ url }) => url },
];

function toLastResponse({ attempts, reason }: DeliveryResource): string | number | null {
  const last = attempts.at(-1);
  return last?.httpStatus ?? last?.error ?? reason;
}
