import { readFileSync } from 'node:fs';
import { withCustomer, type Cell } from '../cell.ts';
import { withServer } from '../shop.ts';
import { checkWebhooks } from '../shop-webhooks.ts';

const SNIPPETS = new URL('../../server/recipes/snippets/', import.meta.url);

export const serverCells: readonly Cell[] = [
  {
    name: 'Express 4: the recipe for Express',
    why: 'most servers still run version 4, and the recipes are tested with 5',
    run: () =>
      withCustomer(
        {
          packages: { express: 'express' },
          files: {
            'app.ts': readFileSync(new URL('express.ts', SNIPPETS), 'utf8'),
            'server.mjs': `import { app } from './app.ts';
              app.listen(Number(process.env.PORT), '127.0.0.1');`,
          },
        },
        (customer) => withServer(customer, { start: ['server.mjs'] }, checkWebhooks),
      ),
  },
];
