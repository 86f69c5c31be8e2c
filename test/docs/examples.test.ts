/** Compares the projects in examples/ with what the README and the guides print, and checks their files. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseInvocation } from '../../mock-server/cli/invocation.ts';
import { findCodeBlocks } from '../support/code-blocks.ts';
import { compileModules } from '../support/compile.ts';
import { EXAMPLES, readExample, toPrinted } from '../support/examples.ts';
import { readManifest } from '../support/packages.ts';

const ROOT = join(import.meta.dirname, '../..');
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const readJson = (path: string) => JSON.parse(read(path));

/** The files that each guide prints as a whole. Each block begins with a comment that names the file. */
const PRINTED: Readonly<Record<string, readonly string[]>> = {
  'docs/guides/five-minutes.md': [
    'script-tag/page.html',
    'script-tag/return.html',
    'script-tag/server.js',
  ],
  'docs/guides/server.md': ['vite-express/app.ts', 'vite-express/server.ts'],
  'docs/guides/unit-tests.md': ['vite-express/age-check.test.ts'],
  'docs/guides/react-vue-svelte.md': [
    'vite-express/src/of-age.ts',
    'vite-express/src/AgeGate.tsx',
    'vite-express/src/decide.ts',
    'vite-express/src/main.tsx',
    'vite-express/age-check/return.html',
    'vite-express/vite.config.ts',
  ],
  'docs/guides/frameworks.md': [
    'next/app/layout.tsx',
    'next/app/of-age.ts',
    'next/app/page.tsx',
    'next/app/age-check/route.ts',
    'next/app/age-check/return/page.tsx',
    'next/next.config.ts',
  ],
  'docs/guides/webhooks.md': ['next/app/webhooks/ofage/route.ts'],
};

/** Files that no page prints: each project has its own, or they equal a file that is printed. */
const NOT_PRINTED = [
  'next/app/age-gate.tsx',
  'next/app/decide.ts',
  'script-tag/age-check.test.js',
  'vite-express/index.html',
];

/** All files, by the name of the project and the path in it. */
const FILES = new Map<string, string>(
  EXAMPLES.flatMap((name) =>
    Object.entries(readExample(name)).map(([path, text]) => [`${name}/${path}`, text] as const),
  ),
);
const SOURCES = [...FILES.keys()].filter((file) => /\.(html|js|tsx?)$/.test(file));

const withoutIndent = (code: string): string => code.replaceAll(/^ +/gm, '');

/** For a tool that no test uses. */
const anExactVersion = expect.stringMatching(/^\d+\.\d+\.\d+$/);

describe('the examples', () => {
  it.each(Object.entries(PRINTED).flatMap(([page, files]) => files.map((file) => [page, file])))(
    '%s prints %s',
    (page, file) => {
      expect(findCodeBlocks(read(page)).map(({ code }) => code)).toContain(
        toPrinted(file.slice(file.indexOf('/') + 1), FILES.get(file) ?? ''),
      );
    },
  );

  it('are printed by the guides, but for files that each project has of its own', () => {
    expect([...Object.values(PRINTED).flat(), ...NOT_PRINTED].toSorted()).toEqual(
      SOURCES.toSorted(),
    );
  });

  it('have the parts that the README prints', () => {
    const parts = findCodeBlocks(read('README.md')).filter(({ language }) => language !== 'sh');
    const texts = SOURCES.map((file) => withoutIndent(FILES.get(file) ?? ''));
    expect(parts.length).toBeGreaterThanOrEqual(3);
    for (const { code } of parts)
      expect(texts.filter((text) => text.includes(withoutIndent(code)))).toHaveLength(1);
  });

  it.each([
    ['next/app/age-gate.tsx', 'vite-express/src/AgeGate.tsx'],
    ['next/app/decide.ts', 'vite-express/src/decide.ts'],
  ])('have the same component: %s equals %s', (copy, original) => {
    expect(FILES.get(copy)).toBe(FILES.get(original));
  });

  it.each(EXAMPLES)('%s names exact versions: those that the tests use', (name) => {
    const { dependencies, devDependencies } = readJson(`examples/${name}/package.json`);
    const tested = {
      ...readJson('package.json').devDependencies,
      ...readJson('test/package.json').dependencies,
      ...readJson('test/consumers/nightly/next/package.json').dependencies,
      ofage: readManifest('ofage').version,
      'ofage-mock': readManifest('ofage-mock').version,
    };
    const named = { ...dependencies, ...devDependencies };
    const expected = Object.keys(named).map((key) => [key, tested[key] ?? anExactVersion]);
    expect(named).toEqual(Object.fromEntries(expected));
  });

  it.each(EXAMPLES)('%s starts against a mock with the two commands of its README', (name) => {
    const { scripts } = readJson(`examples/${name}/package.json`);
    expect(parseInvocation(scripts.mock.split(' ').slice(1)).kind).not.toBe('misuse');
    const readme = read(`examples/${name}/README.md`);
    const [, ...commands] = [...readme.matchAll(/^npm (?:run )?(\w+)/gm)].map(([, one]) => one);
    expect(commands).toHaveLength(2);
    expect(Object.keys(scripts)).toEqual(expect.arrayContaining(commands));
    expect(readme).toContain('`npm pack --workspaces`');
  });

  it('next keeps the variables of the mock from builds and from Git', () => {
    const { mock } = readJson('examples/next/package.json').scripts;
    // `next build` and `next start` read `.env` and `.env.local`, but not this file.
    expect(mock).toContain(' --write-env .env.development.local ');
    expect(read('examples/next/.gitignore').split('\n')).toEqual(
      expect.arrayContaining(['.env*', '.ofage/']),
    );
    expect(read('docs/guides/frameworks.md')).toContain(`\`npx ${mock}\``);
  });

  it('start the mock as the first guide does', () => {
    const { mock } = readJson('examples/script-tag/package.json').scripts;
    expect(read('docs/guides/five-minutes.md')).toContain(`\nnpx ${mock}\n`);
  });
});

describe('the TypeScript of the examples compiles:', () => {
  const modules = SOURCES.filter((file) => /\.tsx?$/.test(file)).map(
    (file) => [`docs/${file}`, FILES.get(file) ?? ''] as const,
  );
  const problems = compileModules(new Map(modules), {
    ambient: globSync('test/docs/*.d.ts', { cwd: ROOT }).map((file) => join(ROOT, file)),
  });

  it.each([...problems])('%s', (_, messages) => {
    expect(messages).toEqual([]);
  });
});
