/** The projects in examples/, started as their README says, but on free ports. */
import { readExample } from '../../support/examples.ts';
import { findFreePort } from '../../support/free-port.ts';
import { withCustomer, type Cell } from '../cell.ts';
import type { Customer } from '../customer.ts';
import { checkPage, checkShop, waitForServer, withoutBrowser, type Shop } from '../shop.ts';

/** Lets the server listen on this computer only. It reads a free port from `PORT`. */
const onThisComputer = (code: string): string =>
  code.replace('listen(port,', `listen(port, '127.0.0.1',`);

/** Returns the arguments of a script of package.json that starts with `node`. */
function scriptOf(files: Readonly<Record<string, string>>, name: string): readonly string[] {
  const script = String(JSON.parse(files['package.json'] ?? '').scripts[name]);
  const [program, ...args] = script.split(' ');
  if (program !== 'node') throw new Error(`Expected a script that starts with node, got ${script}`);
  return args;
}

const SCRIPT_TAG = readExample('script-tag');
const VITE = readExample('vite-express');

/** The tests pass the variables to the server. The mock would write them into this file. */
const ENV = { '.env': '' };

const VITE_PACKAGES = ['express', 'msw', 'react', 'react-dom', 'vite', 'typescript'];
const VITE_TYPES = ['@types/express', '@types/node', '@types/react', '@types/react-dom'];

/** Starts Vite's server beside that of the shop, and verifies a shopper on its page. */
const checkDevelopment =
  ({ start }: Customer): NonNullable<Shop['check']> =>
  async (shop, account) => {
    const port = await findFreePort();
    const vite = start(['node_modules/vite/bin/vite.js', '--port', `${port}`, '--strictPort'], {
      env: {
        SHOP: shop,
        OFAGE_PUBLISHABLE_KEY: account.publishableKey,
        OFAGE_API_BASE: account.apiBase,
      },
    });
    const url = `http://localhost:${port}`;
    try {
      await waitForServer(url, () => vite.assertRunning());
      await checkPage(url, account, 'popup');
    } catch (error) {
      throw new Error(`Vite printed:\n${vite.output()}`, { cause: error });
    } finally {
      await vite.stop();
    }
  };

export const exampleCells: readonly Cell[] = [
  {
    name: 'The example script-tag, and its test',
    why: 'the README and the first guide print it',
    skip: withoutBrowser,
    run: () =>
      withCustomer(
        { files: { ...SCRIPT_TAG, ...ENV, 'server.js': onThisComputer(SCRIPT_TAG['server.js']!) } },
        async (customer) => {
          await customer.node(scriptOf(SCRIPT_TAG, 'test'));
          await checkShop(customer, { start: scriptOf(SCRIPT_TAG, 'start'), page: 'popup' });
        },
      ),
  },
  {
    name: 'The example vite-express: its test, built and in development',
    why: 'two guides print it: the page calls the mock in development, and the provider when it is built',
    skip: withoutBrowser,
    run: () =>
      withCustomer(
        {
          packages: {
            ...Object.fromEntries([...VITE_PACKAGES, ...VITE_TYPES].map((name) => [name, name])),
            vitest: 'vitest-5',
          },
          files: {
            ...VITE,
            ...ENV,
            'server.ts': onThisComputer(VITE['server.ts']!),
            'vite.config.ts': VITE['vite.config.ts']!.replace(
              `'http://localhost:3000'`,
              `process.env.SHOP ?? ''`,
            ),
          },
        },
        async (customer) => {
          await customer.node(['node_modules/typescript/bin/tsc']);
          await customer.node(['node_modules/vitest/vitest.mjs', 'run']);
          await customer.node(['node_modules/vite/bin/vite.js', 'build'], {
            env: { OFAGE_PUBLISHABLE_KEY: 'pk_your_publishable_key' },
          });
          await checkShop(customer, {
            start: scriptOf(VITE, 'server'),
            page: 'popup',
            check: checkDevelopment(customer),
          });
        },
      ),
  },
];
