import { globSync, readFileSync } from 'node:fs';
import { basename, join, relative, resolve } from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { findCodeBlocks } from '../support/code-blocks.ts';

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

/** Compiles all examples, each as a separate module that imports the public entries. */
function compile(): Map<string, string[]> {
  const config = ts.readConfigFile(join(ROOT, 'test/tsconfig.json'), (path) =>
    ts.sys.readFile(path),
  );
  const { options } = ts.parseJsonConfigFileContent(config.config, ts.sys, join(ROOT, 'test'));
  // An example may leave a value unused, because it only shows how to get it.
  options.noUnusedLocals = false;
  const virtual = new Map(
    examples.map((example, index) => [
      join(ROOT, `test/docs/example-${index}.${example.extension}`),
      example,
    ]),
  );
  const host = ts.createCompilerHost(options);
  const { readFile, fileExists, getSourceFile } = host;
  host.readFile = (path) => virtual.get(path)?.code ?? readFile(path);
  host.fileExists = (path) => virtual.has(path) || fileExists(path);
  host.getSourceFile = (path, ...rest) => {
    const example = virtual.get(path);
    if (!example) return getSourceFile(path, ...rest);
    // The project's own JSX is Preact's.
    const jsx = example.code.includes("from 'react'") ? '/** @jsxImportSource react */ ' : '';
    const code = `${jsx}${example.code}\nexport {};`;
    return ts.createSourceFile(path, code, ts.ScriptTarget.ES2022, true);
  };
  const ambient = globSync('test/docs/*.d.ts', { cwd: ROOT }).map((path) => join(ROOT, path));
  const program = ts.createProgram([...virtual.keys(), ...ambient], options, host);
  return new Map(
    [...virtual].map(([path, { name }]) => {
      const source = program.getSourceFile(path);
      const found = [
        ...program.getSyntacticDiagnostics(source),
        ...program.getSemanticDiagnostics(source),
      ];
      return [
        name,
        found.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n')),
      ];
    }),
  );
}

describe('the TypeScript examples in the README, the guides and the doc comments', () => {
  const problems = compile();

  it('include more than two examples of the README', () => {
    expect(examples.filter(({ name }) => name.startsWith('README')).length).toBeGreaterThan(2);
  });

  it.each(examples.map(({ name }) => name))('compile: %s', (name) => {
    expect(problems.get(name)).toEqual([]);
  });
});
