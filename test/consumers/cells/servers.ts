import { readFileSync } from 'node:fs';
import { withCustomer, type Cell } from '../cell.ts';

const SNIPPETS = new URL('../../server/recipes/snippets/', import.meta.url);
const ANSWERS = ['signed 204', 'forged 401', 'unsigned 401', 'malformed 401', 'too long 413'];

export const serverCells: readonly Cell[] = [
  {
    name: 'Express 4: the recipe for Express',
    why: 'most servers still run version 4, and the recipes are tested with 5',
    run: () =>
      withCustomer(
        {
          packages: { express: 'express' },
          fixtures: ['webhook-probe.mjs'],
          files: {
            'app.ts': readFileSync(new URL('express.ts', SNIPPETS), 'utf8'),
            'server.mjs': `import { createServer } from 'node:http';
              import { app } from './app.ts';
              export const server = createServer(app);`,
          },
        },
        async ({ node }) => {
          const said = await node(['webhook-probe.mjs'], {
            env: { OFAGE_WEBHOOK_SECRET: 'whsec' },
          });
          const missing = ANSWERS.filter((line) => !said.includes(line));
          if (missing.length > 0) throw new Error(`Expected ${missing.join(', ')}, got:\n${said}`);
        },
      ),
  },
];
