import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { foldersOf, readPackages } from '../../scripts/third-party-notices.mjs';
import { ROOT } from './built.ts';

/** Packages that are known to be in each output, so that an empty list cannot pass. */
const OUTPUTS: [output: string, known: string[]][] = [
  [
    'mock-server/dist/THIRD-PARTY-NOTICES.txt',
    ['@fontsource-variable/figtree', '@hono/node-server', 'hono', 'idb', 'preact', 'valibot'],
  ],
  ['dist-static/THIRD-PARTY-NOTICES.txt', ['hono', 'msw', 'preact', 'valibot']],
];

describe.each(OUTPUTS)('%s', (output, known) => {
  const text = readFileSync(join(ROOT, output), 'utf8');

  it('has every package that Rollup and Vite report, with its version and licence', () => {
    const headings = Array.from(text.matchAll(/^-{80}\n\n(\S+) \S+ \(.+\)$/gm), ([, name]) => name);
    const packages = readPackages(output);
    expect(headings).toEqual(packages.map(({ name }) => name));
    expect(headings).toEqual(expect.arrayContaining(known));
    for (const { text: licence = '' } of packages) expect(text).toContain(licence);
  });

  it('has the text of each licence, unless its package has none', () => {
    const parts = text.split(`${'-'.repeat(80)}\n\n`).slice(1);
    for (const part of parts)
      expect(part).toMatch(/copyright|permission is hereby|contains no text of its licence/i);
  });
});

it('foldersOf() finds the innermost package of a path', () => {
  const paths = [
    '/app/node_modules/hono/dist/index.js',
    '/app/node_modules/@hono/node-server/dist/index.mjs',
    '/app/node_modules/msw/node_modules/outvariant/lib/index.mjs',
    '\0/app/node_modules/hono/dist/router.js?commonjs',
    '/app/src/index.ts',
  ];
  expect(foldersOf(paths)).toEqual([
    'node_modules/hono',
    'node_modules/@hono/node-server',
    'node_modules/msw/node_modules/outvariant',
  ]);
});
