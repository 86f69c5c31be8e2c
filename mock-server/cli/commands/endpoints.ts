import type { EndpointResource } from '../../api/endpoints.ts';
import { ANY_TENANT, findTenant } from '../accounts.ts';
import { type Command, requireArguments, textOf } from '../command.ts';
import { toShort } from '../moments.ts';
import type { Column } from '../table.ts';

export const endpoints: Command = {
  name: 'endpoints',
  takes: '',
  summary: 'list webhook endpoints and their health',
  action: 'list endpoints',
  options: { tenant: ANY_TENANT },
  read(words, values) {
    requireArguments('endpoints', [], words);
    return async (mock, print) => {
      const wanted = textOf(values, 'tenant');
      const tenants =
        wanted === undefined ? await mock.tenants() : [await findTenant(mock, wanted)];
      const lists = tenants.map(({ id }) => mock.endpoints(id));
      print.list((await Promise.all(lists)).flat(), COLUMNS, 'No endpoints');
    };
  },
};

const COLUMNS: readonly Column<EndpointResource>[] = [
  { title: 'ENDPOINT', of: ({ id }) => id },
  { title: 'STATE', of: ({ health }) => health.state },
  { title: 'PENDING', of: ({ health }) => health.pending },
  { title: 'UNDELIVERED', of: ({ health }) => health.undelivered },
  { title: 'LAST SUCCESS', of: ({ health }) => toShort(health.lastSuccessAt) },
  { title: 'URL', of: ({ url }) => url },
];
