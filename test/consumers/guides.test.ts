/** The guides for other test runners, as printed, with the packed package. */
import { readFileSync } from 'node:fs';
import { describe, it } from 'vitest';
import { withCustomer } from './cell.ts';
import type { Customer, CustomerOptions } from './customer.ts';

const unavailable = process.env['CONSUMERS_UNAVAILABLE'];
if (unavailable !== undefined) console.warn(`Skipped the guides: ${unavailable}`);

/** Returns the first block of a language in a guide. */
function readBlock(guide: string, language: string): string {
  const page = readFileSync(new URL(`../../docs/guides/${guide}.md`, import.meta.url), 'utf8');
  const [, code] = new RegExp(`\`\`\`${language}\n([\\s\\S]*?)\`\`\``).exec(page) ?? [];
  if (code === undefined) throw new Error(`The guide ${guide} has no block in ${language}`);
  return code;
}

describe('the guide, as printed, works with', () => {
  const test = unavailable === undefined ? it.concurrent : it.concurrent.skip;
  const customer = (options: CustomerOptions, check: (customer: Customer) => Promise<void>) => () =>
    withCustomer(options, check);

  test(
    'Jest',
    customer(
      {
        packages: { jest: 'jest' },
        type: 'commonjs',
        files: {
          'age-check.test.js': readBlock('testing-with-jest', 'js'),
          'jest.config.json': '{}',
        },
      },
      async ({ node }) => {
        await node(['node_modules/jest/bin/jest.js', '--watchman=false', '--runInBand']);
      },
    ),
  );

  test(
    'node:test',
    customer(
      { files: { 'age-check.test.mjs': readBlock('testing-with-node-test', 'js') } },
      async ({ node }) => {
        await node(['--test']);
      },
    ),
  );
});
