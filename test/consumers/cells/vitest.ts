import { withCustomer, type Cell } from '../cell.ts';

const GUIDE = 'guide.test.mjs';
const DOM = 'dom.test.mjs';

interface Setup extends Pick<Cell, 'isOnDemand'> {
  readonly msw: string;
  readonly environment?: string;
}

/** Runs the tests of the guide under Vitest. */
function cell(
  name: string,
  why: string,
  { msw, environment = 'node', isOnDemand = false }: Setup,
): Cell {
  const fixtures = environment === 'node' ? [GUIDE] : [GUIDE, DOM, 'server.test.mjs'];
  const packages = { msw, vitest: 'vitest' };
  const args = ['run', '--globals', '--environment', environment, '--no-file-parallelism'];
  return {
    name: `Vitest, ${name}`,
    why,
    isOnDemand,
    run: () =>
      withCustomer({ packages, fixtures }, async ({ node }) => {
        await node(['node_modules/vitest/vitest.mjs', ...args]);
      }),
  };
}

export const vitestCells: readonly Cell[] = [
  cell('msw 2.0.14', 'the lowest version of the peer range', { msw: 'msw-2.0' }),
  cell('msw 2.10.5', 'the last version that loads in the CommonJS mode of Jest', {
    msw: 'msw-2.10',
    isOnDemand: true,
  }),
  cell('msw 2.15.0', 'the last version 2', { msw: 'msw-2', isOnDemand: true }),
  cell('msw 3.0.5', 'the newest version', { msw: 'msw' }),
  cell('jsdom, msw 3', 'jsdom replaces fetch, timers and crypto', {
    msw: 'msw',
    environment: 'jsdom',
  }),
  cell('happy-dom, msw 3', 'happy-dom applies CORS to intercepted requests', {
    msw: 'msw',
    environment: 'happy-dom',
  }),
];
