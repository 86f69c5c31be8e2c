import { globSync, readFileSync } from 'node:fs';
import { basename, join, relative, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findCodeBlocks } from '../support/code-blocks.ts';
import { compileModules } from '../support/compile.ts';

const ROOT = resolve(import.meta.dirname, '../..');

interface Example {
  readonly name: string;
  readonly code: string;
  readonly extension: 'ts' | 'tsx';
}

/** Returns the files of a folder, except those of packages and of the site that is built from the pages. */
const files = (folder: string, extension: string): string[] =>
  globSync(`${folder}/**/*${extension}`, {
    cwd: ROOT,
    exclude: (path) => /^(node_modules|site)$/.test(basename(path)),
  }).map((path) => join(ROOT, path));

/** Returns the ts and tsx blocks of a text: a page, or a source file with the comment stars removed. */
function fenced(file: string, text: string): Example[] {
  return findCodeBlocks(text).flatMap(({ language, code, line }) => {
    if (language !== 'ts' && language !== 'tsx') return [];
    return [{ name: `${relative(ROOT, file)}:${line}`, code, extension: language }];
  });
}

const pages = [join(ROOT, 'README.md'), ...files('docs', '.md')];
const sources = ['src', 'mock-server', 'testing', 'conformance'].flatMap((folder) =>
  files(folder, '.ts'),
);
const examples = [
  ...pages.flatMap((file) => fenced(file, readFileSync(file, 'utf8'))),
  ...sources.flatMap((file) =>
    fenced(file, readFileSync(file, 'utf8').replaceAll(/^[ \t]*\* ?/gm, '')),
  ),
];

describe('the TypeScript examples in the README, the guides and the doc comments', () => {
  const path = ({ extension }: Example, index: number) => `docs/example-${index}.${extension}`;
  const problems = compileModules(new Map(examples.map((one, n) => [path(one, n), one.code])), {
    // An example may leave a value unused, because it only shows how to get it.
    options: { noUnusedLocals: false },
    ambient: globSync('test/docs/*.d.ts', { cwd: ROOT }).map((file) => join(ROOT, file)),
  });

  it.each(examples.map((one, n) => [one.name, path(one, n)]))('compile: %s', (_name, file) => {
    expect(problems.get(file)).toEqual([]);
  });
});
